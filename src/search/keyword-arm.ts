import type { KeywordColumn, KeywordIndex } from '../model/index.ts';
import { columnWeights, coverageWeights, saturatedTermScore } from './fusion/weights.ts';
import type { ReadQuery } from './query/read-query.ts';

/** Tools that the arm puts up; BM25 beyond them is too low to matter after fusion. */
const candidateLimit = 200;
/** Coverage is read for this many tools; the rest hold so little of the query that it makes no difference. */
const coverageLimit = 1_000;

/** FTS5's own floor for terms that occur in more than half of the tools. */
const minRarity = 1e-6;

/** What the keyword index says about a query, by tool key. */
export interface KeywordEvidence {
  /** BM25 relative to the best, 0–1. */
  scores: ReadonlyMap<number, number>;
  /** Share of the query's terms that the tool holds, weighted by rarity, 0–1. */
  coverage: ReadonlyMap<number, number>;
}

export const noKeywords: KeywordEvidence = { scores: new Map(), coverage: new Map() };

/** Reads the keyword index for one query after another. */
export class KeywordArm {
  readonly #keywords: KeywordIndex;

  constructor(keywords: KeywordIndex) {
    this.#keywords = keywords;
  }

  find(query: ReadQuery, serverId: string | undefined): KeywordEvidence {
    const { frequencies, documents } = this.#keywords.documentFrequencies([...query.terms, ...query.glossTerms]);
    const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
    const terms = searchedTerms(query, frequencyOf);
    if (terms.length === 0) return noKeywords;
    const search = (weights: Record<KeywordColumn, number>, limit: number) =>
      this.#keywords.search({ terms, weights, limit, ...(serverId === undefined ? {} : { serverId }) });
    const matches = search(columnWeights, candidateLimit);
    const best = matches[0]?.score ?? 0;
    if (best <= 0) return noKeywords;
    const total = terms.reduce((sum, term) => sum + rarity(frequencyOf(term), documents), 0);
    const covered = search(coverageWeights, coverageLimit);
    return {
      scores: new Map(matches.map(({ toolKey, score }) => [toolKey, score / best])),
      coverage: new Map(
        covered.map(({ toolKey, score }) => [toolKey, Math.min(1, score / (saturatedTermScore * total))]),
      ),
    };
  }
}

/** Glossed queries keep only those words of their own language that occur in the catalog. */
function searchedTerms({ terms, glossTerms }: ReadQuery, frequencyOf: (term: string) => number): string[] {
  if (glossTerms.length === 0) return terms;
  return [...new Set([...terms.filter((term) => frequencyOf(term) > 0), ...glossTerms])];
}

/** Inverse document frequency as FTS5 computes it. */
function rarity(frequency: number, documents: number): number {
  return Math.max(minRarity, Math.log((documents - frequency + 0.5) / (frequency + 0.5)));
}
