import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const modelDir = fileURLToPath(new URL('../../../index-data/models/toolcrib-minilm-l6', import.meta.url));

/** Node 20 cannot start a worker from TypeScript: the built one is tested, where `npm run build` has made it. */
export const workerPath = fileURLToPath(new URL('../../../dist/search/embedding/worker.js', import.meta.url));
export const isBuilt = existsSync(workerPath);

export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return Array.from(a ?? []).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}
