import { isToolcribError, messageOf } from '../errors/index.ts';
import type { Embedder, Logger, VectorStore } from '../model/index.ts';

/** How far the vectors are. */
export interface BackfillProgress {
  embedded: number;
  texts: number;
}

/** Gives every text of the catalog its vector, in the background. */
export interface EmbeddingBackfill {
  /** Starts, or makes a running pass look again for new texts. Returns at once. */
  kick(): void;
  /** Resolves when nothing is left to embed, or the embedder turned out broken or away for now. Kicks. */
  settled(onProgress?: (progress: BackfillProgress) => void): Promise<void>;
  /** Ends after the batch at hand; waits for it. */
  stop(): Promise<void>;
}

export interface BackfillOptions {
  vectors: VectorStore;
  embedder: Embedder;
  logger: Logger;
  onProgress?: (progress: BackfillProgress) => void;
}

/** Small, so that each write blocks the event loop for a few milliseconds and an interrupted run loses little. */
const defaultBatchSize = 32;
/** An endpoint that was away is asked again after this long, then after twice as long each time. */
const firstPauseMs = 60_000;
const maxPauseMs = 15 * 60_000;

export function createEmbeddingBackfill(options: BackfillOptions): EmbeddingBackfill {
  return new Backfill(options);
}

class Backfill implements EmbeddingBackfill {
  readonly #options: BackfillOptions;
  readonly #listeners = new Set<(progress: BackfillProgress) => void>();
  #pass: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #broken = false;
  #pauseMs = firstPauseMs;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: BackfillOptions) {
    this.#options = options;
    if (options.onProgress !== undefined) this.#listeners.add(options.onProgress);
  }

  kick(): void {
    if (this.#stopped || this.#broken) return;
    clearTimeout(this.#retry);
    if (this.#pass !== undefined) {
      this.#again = true;
      return;
    }
    this.#pass = this.#run().finally(() => {
      this.#pass = undefined;
    });
  }

  async settled(onProgress?: (progress: BackfillProgress) => void): Promise<void> {
    if (onProgress !== undefined) this.#listeners.add(onProgress);
    try {
      this.kick();
      await this.#pass;
    } finally {
      if (onProgress !== undefined) this.#listeners.delete(onProgress);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#pass;
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.#embedAll();
      } while (this.#again && !this.#stopped);
    } catch (error) {
      if (!this.#stopped) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { logger } = this.#options;
    if (!isToolcribError(error, 'embedding_endpoint_unavailable')) {
      this.#broken = true;
      logger.warn('embedding failed, search goes on by keywords', {
        error: messageOf(error),
        ...(isToolcribError(error) && { next: error.next }),
      });
      return;
    }
    logger.warn('embedding is put off, search goes on by keywords', { error: error.message, retryMs: this.#pauseMs });
    this.#retry = setTimeout(() => this.kick(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
  }

  /** Until no text is left. The next batch goes out before this one is back, so that the model never waits. */
  async #embedAll(): Promise<void> {
    let current = this.#start([]);
    while (current !== undefined && !this.#stopped) {
      const next = this.#start(current.texts);
      this.#store(current.texts, await current.vectors);
      current = next ?? this.#start([]);
    }
  }

  /** The next texts but for those on their way; undefined when there are none. */
  #start(onTheirWay: readonly MissingText[]): { texts: MissingText[]; vectors: Promise<Float32Array[]> } | undefined {
    const { vectors, embedder } = this.#options;
    const batchSize = embedder.documentBatch ?? defaultBatchSize;
    const known = new Set(onTheirWay.map(({ textHash }) => textHash));
    const missing = vectors.missing(embedder.id, batchSize + known.size);
    const texts = missing.filter(({ textHash }) => !known.has(textHash)).slice(0, batchSize);
    if (texts.length === 0) return undefined;
    const embedding = embedder.embed(
      texts.map(({ text }) => text),
      'document',
    );
    // When an earlier batch fails, nobody asks for this one.
    embedding.catch(() => undefined);
    return { texts, vectors: embedding };
  }

  #store(texts: readonly MissingText[], embedded: readonly Float32Array[]): void {
    const { vectors, embedder } = this.#options;
    vectors.put(
      embedder.id,
      texts.map(({ textHash }, index) => ({ textHash, vector: embedded[index] as Float32Array })),
    );
    this.#pauseMs = firstPauseMs;
    const progress = vectors.coverage(embedder.id);
    for (const listener of this.#listeners) listener(progress);
  }
}

type MissingText = ReturnType<VectorStore['missing']>[number];
