import { createInProcessEmbedder } from './in-process-embedder.ts';
import { createLocalEmbedder, type LocalEmbedder } from './local-embedder.ts';
import { loadTransformersModel, type TransformersModelOptions, transformersTraits } from './transformers-model.ts';

/** Which model a worker process runs: plain data, since it travels with each request. */
export type WorkerModel =
  | { kind: 'minilm'; modelDir: string }
  | { kind: 'transformers'; options: TransformersModelOptions };

/** The model in the calling thread. */
export function embedderOf(model: WorkerModel): LocalEmbedder {
  if (model.kind === 'minilm') return createInProcessEmbedder(model);
  const { queryPrefix = '', documentPrefix = '' } = model.options;
  return createLocalEmbedder({
    ...transformersTraits(model.options),
    prefixes: { query: queryPrefix, document: documentPrefix },
    load: () => loadTransformersModel(model.options),
  });
}
