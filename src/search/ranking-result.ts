import type { ToolId } from '../model/index.ts';
import type { Ranked } from './ranker/score.ts';

/** A ranking and what confidence and notes are decided from. */
export interface RankingResult {
  ranked: Ranked[];
  /** Highest cosine of the query or a clause with one of the first hits; undefined without embeddings. */
  bestCosine: number | undefined;
  /** Highest coverage of the query's terms among the first hits. */
  bestCoverage: number;
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
