import type { ErrorCode } from '../../errors/index.ts';
import type { EmbedPriority } from './embed-queue.ts';

/** To the worker process, whose first argument is a `WorkerModel` as JSON. Without `texts` it only loads the model. */
export interface EmbedRequest {
  id: number;
  texts: readonly string[];
  priority: EmbedPriority;
}

/** From the worker process: exactly one for each request. */
export type EmbedResponse =
  | { id: number; vectors: Float32Array[] }
  | { id: number; error: { code: ErrorCode; message: string; next?: string } };
