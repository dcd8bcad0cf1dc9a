import { ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import { EmbedQueue } from './embed-queue.ts';
import { loadMiniLm, type MiniLmModel, miniLmDimensions, miniLmId } from './minilm-model.ts';

/**
 * The model in the calling thread. It blocks the event loop for the length of one text at a time (1–15 ms), so
 * programs use `createMiniLmEmbedder`, whose worker process runs this one.
 */
export function createInProcessEmbedder({ modelDir }: { modelDir: string }): Embedder {
  let loading: Promise<MiniLmModel> | undefined;
  let closed = false;
  const load = () => {
    if (closed) return Promise.reject(closedError());
    loading ??= loadMiniLm(modelDir);
    return loading;
  };
  const queue = new EmbedQueue(async (text) => (await load()).embed(text));
  return {
    id: miniLmId,
    dimensions: miniLmDimensions,
    ready: async () => {
      await load();
    },
    embed: async (texts, priority) => {
      await load();
      return queue.add(texts, priority);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      queue.clear(closedError());
      await loading?.then((model) => model.release()).catch(() => undefined);
    },
  };
}

export function closedError(): ToolcribError {
  return new ToolcribError('closed', 'The embedder was closed.');
}
