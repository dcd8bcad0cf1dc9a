import type { NameMatch } from '../query/name-index.ts';
import { partWeights } from './weights.ts';

export interface Cosines {
  /** Of the whole query with the tool. */
  whole: number;
  /** Of the best clause with the tool. */
  clause: number;
  /** Of the whole query with the tool's name. */
  name: number;
}

/** What each arm found, by tool key. */
export interface Evidence {
  /** BM25 relative to the best, 0–1; absent tools hold none of the terms. */
  keywords: ReadonlyMap<number, number>;
  /** Share of the query's terms that the tool holds, weighted by rarity, 0–1. */
  coverage: ReadonlyMap<number, number>;
  /** Undefined while the tool has no vector. */
  cosines(toolKey: number): Cosines | undefined;
  /** Tools that the query names. */
  names: ReadonlyMap<number, NameMatch>;
  /** Weight of the embedding, 0–1: 0 for text that the model cannot read, or without vectors. */
  embeddingShare: number;
  /** Weight of the keywords, 0–1: 0 for the embedding arm. */
  keywordShare: number;
}

export interface Ranked {
  toolKey: number;
  score: number;
  /** Sum to `score`. */
  parts: Record<string, number>;
}

/**
 * Steps larger than all other parts together: a name that equals the query outranks everything that is merely like
 * it, whatever a description says.
 */
const nameParts: Record<NameMatch, number> = { exactCase: 30, anyStyle: 20, mention: 10 };

/** Weighted sum of scores, best first; ties in the order of `candidates`. */
export function rank(candidates: readonly number[], evidence: Evidence): Ranked[] {
  const impute = imputation(candidates, evidence);
  return candidates
    .map((toolKey) => {
      const parts: Record<string, number> = {};
      const { embeddingShare, keywordShare } = evidence;
      const keywords = evidence.keywords.get(toolKey) ?? 0;
      if (embeddingShare > 0) {
        const cosines = evidence.cosines(toolKey) ?? impute(keywords);
        parts.embedding = embeddingShare * partWeights.embedding * cosines.whole;
        parts.clauses = embeddingShare * partWeights.clauses * cosines.clause;
        parts.nameMeaning = embeddingShare * partWeights.nameMeaning * cosines.name;
      }
      if (keywordShare > 0) {
        parts.keywords = keywordShare * partWeights.keywords * keywords;
        parts.coverage = keywordShare * partWeights.coverage * (evidence.coverage.get(toolKey) ?? 0);
      }
      const match = evidence.names.get(toolKey);
      if (match !== undefined) parts.name = nameParts[match];
      return { toolKey, score: sum(parts), parts };
    })
    .sort((a, b) => b.score - a.score);
}

function sum(parts: Record<string, number>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

/**
 * Cosines for tools that have no vector yet, so that being new is no disadvantage: from the range seen among the
 * candidates, as high as their keywords are.
 */
function imputation(candidates: readonly number[], evidence: Evidence): (keywords: number) => Cosines {
  const seen = candidates.flatMap((toolKey) => evidence.cosines(toolKey) ?? []);
  const whole = rangeOf(seen.map((cosines) => cosines.whole));
  const clause = rangeOf(seen.map((cosines) => cosines.clause));
  const name = rangeOf(seen.map((cosines) => cosines.name));
  return (keywords) => ({ whole: whole(keywords), clause: clause(keywords), name: name(keywords) });
}

function rangeOf(values: readonly number[]): (share: number) => number {
  if (values.length === 0) return () => 0;
  const low = values.reduce((least, value) => Math.min(least, value), 1);
  const high = values.reduce((most, value) => Math.max(most, value), -1);
  return (share) => low + share * (high - low);
}
