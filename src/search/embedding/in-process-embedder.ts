import { createLocalEmbedder, type LocalEmbedder } from './local-embedder.ts';
import { loadMiniLm, miniLmTraits } from './minilm-model.ts';

/** The shipped model in the calling thread; programs use `createMiniLmEmbedder`, whose worker process runs this one. */
export function createInProcessEmbedder({ modelDir }: { modelDir: string }): LocalEmbedder {
  return createLocalEmbedder({ ...miniLmTraits, load: () => loadMiniLm(modelDir) });
}
