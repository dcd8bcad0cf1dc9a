import { ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import { EmbedQueue } from './embed-queue.ts';

/** A loaded model. It takes one text at a time: no padding is computed, and no vector depends on its neighbours. */
export interface TextModel {
  /** A vector of unit length. */
  embed(text: string): Promise<Float32Array>;
  release(): Promise<void>;
}

/** What is known of a model before it is loaded. */
export interface ModelTraits {
  id: string;
  /** 0 where only the model itself can tell. */
  dimensions: number;
  readsAllScripts?: boolean;
}

export interface LocalEmbedderOptions extends ModelTraits {
  load(): Promise<TextModel>;
  /** Put before each text: some models are trained to tell queries and documents apart by it. */
  prefixes?: { query: string; document: string };
}

/**
 * A model in the calling thread. It blocks the event loop for the length of one text at a time (1–15 ms for a small
 * model), so programs run it in the worker process.
 */
export function createLocalEmbedder({ load, prefixes, ...traits }: LocalEmbedderOptions): Embedder {
  let loading: Promise<TextModel> | undefined;
  let closed = false;
  let { dimensions } = traits;
  const loadOnce = () => {
    if (closed) return Promise.reject(closedError());
    loading ??= load();
    return loading;
  };
  const queue = new EmbedQueue(async (text) => {
    const vector = await (await loadOnce()).embed(text);
    dimensions = vector.length;
    return vector;
  });
  return {
    ...traits,
    get dimensions() {
      return dimensions;
    },
    ready: async () => {
      await loadOnce();
    },
    embed: async (texts, priority) => {
      await loadOnce();
      return queue.add(prefixes === undefined ? texts : texts.map((text) => prefixes[priority] + text), priority);
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
