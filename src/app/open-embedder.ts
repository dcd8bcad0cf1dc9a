import type { ChildProcess } from 'node:child_process';
import type { ResolvedConfig } from '../config/index.ts';
import { builtFile, type Embedder, packageFile } from '../model/index.ts';
import { createEndpointEmbedder, createMiniLmEmbedder, createTransformersEmbedder } from '../search/embedders.ts';

/**
 * The embedder that the config asks for; undefined for none. Loads and connects nothing yet. A worker process that was
 * started ahead of time is taken over, or ended where the config asks for something else.
 */
export function openEmbedder(
  { embedding }: Pick<ResolvedConfig, 'embedding'>,
  worker?: ChildProcess,
): Embedder | undefined {
  const workerUrl = builtFile('search/embedding/worker');
  if (embedding.provider !== 'minilm') worker?.kill('SIGKILL');
  switch (embedding.provider) {
    case 'none':
      return undefined;
    case 'minilm':
      return createMiniLmEmbedder({ modelDir: packageFile('index-data/models/toolcrib-minilm-l6'), workerUrl, worker });
    case 'transformers': {
      const { provider: _, ...options } = embedding;
      return createTransformersEmbedder({ ...options, workerUrl });
    }
    case 'openai':
      return createEndpointEmbedder(embedding);
  }
}
