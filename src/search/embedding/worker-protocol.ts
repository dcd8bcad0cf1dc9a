import type { ErrorCode } from '../../errors/index.ts';
import type { EmbedPriority } from './embed-queue.ts';

/** What the worker is started with. */
export interface WorkerSetup {
  modelDir: string;
}

/** To the worker; without `texts` it only loads the model. */
export interface EmbedRequest {
  id: number;
  texts: readonly string[];
  priority: EmbedPriority;
}

/** From the worker: exactly one for each request. */
export type EmbedResponse =
  | { id: number; vectors: Float32Array[] }
  | { id: number; error: { code: ErrorCode; message: string } };
