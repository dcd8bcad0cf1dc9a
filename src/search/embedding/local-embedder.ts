import { ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import { EmbedQueue } from './embed-queue.ts';

/** A loaded model. It takes one text at a time: no padding is computed, and no vector depends on its neighbours. */
export interface TextModel {
  /** A vector of unit length. */
  embed(text: string): Promise<Float32Array>;
  /** The vector of a text, then those of parts of it. Without this method each is embedded by itself. */
  embedParts?(text: string, parts: readonly string[]): Promise<Float32Array[]>;
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

export type LocalEmbedder = Embedder & Required<Pick<Embedder, 'embedParts'>>;

/**
 * A model in the calling thread. It blocks the event loop for the length of one text at a time (1–15 ms for a small
 * model), so programs run it in the worker process.
 */
export function createLocalEmbedder({ load, prefixes, ...traits }: LocalEmbedderOptions): LocalEmbedder {
  let loading: Promise<TextModel> | undefined;
  let closed = false;
  let { dimensions } = traits;
  const loadOnce = () => {
    if (closed) return Promise.reject(closedError());
    loading ??= load();
    return loading;
  };
  const queue = new EmbedQueue(async (text, parts = []) => {
    const vectors = await embedText(await loadOnce(), text, parts);
    dimensions = vectors[0]?.length ?? dimensions;
    return vectors;
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
    embedParts: async (query, parts) => {
      await loadOnce();
      const { query: prefix = '' } = prefixes ?? {};
      return queue.addParts(
        prefix + query,
        parts.map((part) => prefix + part),
      );
    },
    close: async () => {
      if (closed) return;
      closed = true;
      queue.clear(closedError());
      await loading?.then((model) => model.release()).catch(() => undefined);
    },
  };
}

async function embedText(model: TextModel, text: string, parts: readonly string[]): Promise<Float32Array[]> {
  if (parts.length > 0 && model.embedParts !== undefined) return model.embedParts(text, parts);
  const vectors = [await model.embed(text)];
  for (const part of parts) vectors.push(await model.embed(part));
  return vectors;
}

export function closedError(): ToolcribError {
  return new ToolcribError('closed', 'The embedder was closed.');
}
