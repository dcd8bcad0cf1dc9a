import type { Embedder } from '../../model/index.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { loadMiniLm, miniLmTraits } from './minilm-model.ts';

/** The shipped model in the calling thread; programs use `createMiniLmEmbedder`, whose worker process runs this one. */
export function createInProcessEmbedder({ modelDir }: { modelDir: string }): Embedder {
  return createLocalEmbedder({ ...miniLmTraits, load: () => loadMiniLm(modelDir) });
}
