/** Entry of the embedding worker thread: answers `EmbedRequest` with `EmbedResponse`. */
import { parentPort, workerData } from 'node:worker_threads';
import { isToolcribError, messageOf } from '../../errors/index.ts';
import { createInProcessEmbedder } from './in-process-embedder.ts';
import type { EmbedRequest, EmbedResponse, WorkerSetup } from './worker-protocol.ts';

const { modelDir } = workerData as WorkerSetup;
const embedder = createInProcessEmbedder({ modelDir });

parentPort?.on('message', ({ id, texts, priority }: EmbedRequest) => {
  embedder.embed(texts, priority).then(
    (vectors) => reply({ id, vectors }),
    (error: unknown) => {
      const code = isToolcribError(error) ? error.code : 'embedding_model_broken';
      reply({ id, error: { code, message: messageOf(error) } });
    },
  );
});

function reply(response: EmbedResponse): void {
  parentPort?.postMessage(response);
}
