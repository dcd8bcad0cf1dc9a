import type { CallOptions } from '../model/index.ts';
import type { HostEmbedding } from '../search/embedders.ts';
import type { Rerank } from './rerank.ts';
import type { HostTokenCounter } from './token-counter.ts';

/** What a program may do itself, in place of toolcrib or its user's host. */
export interface HostHooks {
  /**
   * Decides, in the name of a person, about calls that the policy asks about and that bring no `onApproval` of their own. Never
   * let a model answer it.
   */
  onApproval?: CallOptions['onApproval'];
  /** Puts the hits of each search in another order, as by a small model. It loses none, whatever it answers. */
  rerank?: Rerank;
  /** How long a search waits for `rerank`. Default 2 000. */
  rerankTimeoutMs?: number;
  /** Vectors for the search, in place of the model that `embedding` names. */
  embed?: HostEmbedding;
  /** Tokens for `stats`, `budget` and the mode, in place of o200k. */
  count?: HostTokenCounter;
}
