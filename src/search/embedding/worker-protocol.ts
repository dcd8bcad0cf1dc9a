import type { ErrorCode } from '../../errors/index.ts';
import type { EmbedPriority } from './embed-queue.ts';
import type { WorkerModel } from './worker-model.ts';

/** To the worker process. Without `texts` it only loads the model. */
export interface EmbedRequest {
  id: number;
  /** The same in every request to one process. */
  model: WorkerModel;
  texts: readonly string[];
  /** Parts of the only text, to be embedded with it. */
  parts?: readonly string[];
  priority: EmbedPriority;
}

/** From the worker process: exactly one for each request. */
export type EmbedResponse =
  | { id: number; vectors: Float32Array[] }
  | { id: number; error: { code: ErrorCode; message: string; next?: string } };
