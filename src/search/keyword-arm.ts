import type { KeywordColumn, KeywordIndex, ToolName } from '../model/index.ts';
import { GenerationCache } from './generation-cache.ts';
import type { ReadQuery } from './query/read-query.ts';
import { searchTerms, type TermStatistics } from './ranker/term-weights.ts';
import { decodeProfile, type ToolProfile } from './ranker/tool-profile.ts';

/** Tools that the arm puts up; more were never among the ten best after ranking. */
const candidateLimit = 100;
/**
 * Bounds the time of one query: frequent words are left out of the look-up where rarer ones are there. The ranking counts
 * them all the same.
 */
const maxPostings = 2_000;

/** Some bytes each. */
const maxFrequencies = 50_000;
/** About 600 bytes each. */
const maxProfiles = 25_000;

/** BM25 weights of the columns. */
const columnWeights: Record<KeywordColumn, number> = { name: 5, title: 2, description: 1, parameters: 0.5, server: 2 };

interface Frequencies {
  documents: number;
  byTerm: Map<string, number>;
}

/** Reads the keyword index for one query after another. */
export class KeywordArm {
  readonly #keywords: KeywordIndex;
  readonly #profiles = new GenerationCache<Map<number, ToolProfile>>();
  readonly #frequencies = new GenerationCache<Frequencies>();
  readonly #frequenciesWithin = new WeakMap<ReadonlySet<number>, GenerationCache<Frequencies>>();

  constructor(keywords: KeywordIndex) {
    this.#keywords = keywords;
  }

  /** How often terms occur, in all tools or in these, known for one generation of the catalog. */
  statistics(generation: string, within?: ReadonlySet<number>): TermStatistics {
    const known = this.#frequenciesOf(within).get(generation, () => ({
      documents: this.#keywords.documentFrequencies([], within).documents,
      byTerm: new Map(),
    }));
    return {
      documents: known.documents,
      frequencyOf: (term) => {
        let frequency = known.byTerm.get(term);
        if (frequency === undefined) {
          if (known.byTerm.size >= maxFrequencies) known.byTerm.clear();
          frequency = this.#keywords.documentFrequencies([term], within).frequencies.get(term) ?? 0;
          known.byTerm.set(term, frequency);
        }
        return frequency;
      },
    };
  }

  /** The tools that hold most of the query's words. */
  candidates(
    query: ReadQuery,
    statistics: TermStatistics,
    { serverId, within }: { serverId: string | undefined; within?: ReadonlySet<number> | undefined },
  ): number[] {
    const terms = searchTerms(query, statistics).filter((term) => statistics.frequencyOf(term) > 0);
    if (terms.length === 0) return [];
    const matches = this.#keywords.search({
      terms,
      weights: columnWeights,
      limit: candidateLimit,
      maxPostings,
      ...(serverId === undefined ? {} : { serverId }),
      ...(within === undefined ? {} : { within }),
    });
    return matches.map(({ toolKey }) => toolKey);
  }

  /** The profiles of these tools; those without indexed words are left out. Kept for one generation of the catalog. */
  profiles(names: readonly ToolName[], generation: string): ReadonlyMap<number, ToolProfile> {
    const known = this.#profiles.get(generation, () => new Map());
    const isUnknown = ({ key }: ToolName) => !known.has(key);
    if (known.size + names.filter(isUnknown).length > maxProfiles) known.clear();
    const wanted = names.filter(isUnknown);
    if (wanted.length === 0) return known;
    for (const [key, bytes] of this.#keywords.profiles(wanted.map(({ key }) => key))) {
      const profile = decodeProfile(bytes);
      if (profile !== undefined) known.set(key, profile);
    }
    return known;
  }

  #frequenciesOf(within: ReadonlySet<number> | undefined): GenerationCache<Frequencies> {
    if (within === undefined) return this.#frequencies;
    const known = this.#frequenciesWithin.get(within) ?? new GenerationCache<Frequencies>();
    this.#frequenciesWithin.set(within, known);
    return known;
  }
}
