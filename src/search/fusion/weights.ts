import type { KeywordColumn } from '../../model/index.ts';

/** BM25 weights of the columns. */
export const columnWeights: Record<KeywordColumn, number> = {
  name: 5,
  title: 2,
  description: 1,
  parameters: 0.5,
  server: 2,
};

/**
 * So large that BM25 saturates: a term then counts by its rarity alone, however often and wherever it occurs in the
 * tool. The sum over terms is the share of the query that the tool covers.
 */
export const coverageWeights: Record<KeywordColumn, number> = {
  name: 1e6,
  title: 1e6,
  description: 1e6,
  parameters: 1e6,
  server: 1e6,
};

/** What one fully saturated term adds to a BM25 score, in units of its inverse document frequency (k1 + 1). */
export const saturatedTermScore = 2.2;

/**
 * Weights of a hit's parts, fitted by forward selection on the labelled development sets (eight sets; mean of recall@1,
 * recall@5 and MRR). Mean objective with each part added: cosine + .25 BM25 .617 · coverage .622 · clauses .630 · name .636.
 * Query cleaning, server priors and further columns added less than .001 each and were left out.
 */
export const partWeights = {
  /** Cosine of the whole query with the tool. */
  embedding: 1,
  /** Best cosine of one clause of the query with the tool; the whole query where it has but one. */
  clauses: 0.6,
  /** Cosine of the whole query with the tool's name. */
  nameMeaning: 0.2,
  /** BM25 relative to the best of the answer. */
  keywords: 0.25,
  /** Share of the query's terms, by rarity, that the tool holds. */
  coverage: 0.6,
};
