import type { KeywordColumn } from '../../model/index.ts';

/** BM25 weights of the columns. */
export const columnWeights: Record<KeywordColumn, number> = {
  name: 5,
  title: 2,
  description: 1,
  parameters: 0.5,
  server: 2,
};

/** Weights of a hit's parts. */
export const partWeights = {
  /** Cosine of the whole query with the tool. */
  embedding: 1,
  /** Best cosine of one clause of the query, the whole query where it has but one. */
  clause: 0.35,
  /** BM25 relative to the best of the answer. */
  keywords: 0.3,
};
