import type { ToolId } from '../model/index.ts';
import type { Ranked } from './ranker/score.ts';

/** How near the first hits are. */
export interface Closeness {
  /** Highest cosine of the query or a clause with one of them; undefined without embeddings. */
  cosine: number | undefined;
  /** What is usual: the median over all candidates, where there are many. */
  usualCosine: number;
  /** Highest share of the query's terms that one of them holds, by rarity, 0–1. */
  coverage: number;
}

/** A ranking and what confidence and notes are decided from. */
export interface RankingResult {
  ranked: Ranked[];
  closeness: Closeness;
  /** `used`, or why the ranking went without. */
  embedding: 'used' | EmbeddingAbsence;
  /** Texts of the catalog and how many have a vector; undefined where embeddings were not asked for. */
  vectors: { texts: number; embedded: number } | undefined;
  /** Tools that the query names in full and that cannot be called. */
  namedButSetAside: ToolId[];
}

/**
 * `off`: not wanted. `loading`: the model or all vectors are still to come. `unreachable`: the endpoint did not answer this
 * time. `broken`: the model does not work.
 */
export type EmbeddingAbsence = 'off' | 'loading' | 'unreachable' | 'broken';
