import { messageOf } from '../errors/index.ts';
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
  /** Resolves when nothing is left to embed, or the embedder turned out broken. Kicks. */
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
const batchSize = 32;

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

  constructor(options: BackfillOptions) {
    this.#options = options;
    if (options.onProgress !== undefined) this.#listeners.add(options.onProgress);
  }

  kick(): void {
    if (this.#stopped || this.#broken) return;
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
    await this.#pass;
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        while (!this.#stopped && (await this.#embedBatch()));
      } while (this.#again && !this.#stopped);
    } catch (error) {
      if (this.#stopped) return;
      this.#broken = true;
      this.#options.logger.warn('embedding failed, search goes on by keywords', { error: messageOf(error) });
    }
  }

  /** False when no text was left. */
  async #embedBatch(): Promise<boolean> {
    const { vectors, embedder } = this.#options;
    const batch = vectors.missing(embedder.id, batchSize);
    if (batch.length === 0) return false;
    const embedded = await embedder.embed(
      batch.map(({ text }) => text),
      'document',
    );
    vectors.put(
      embedder.id,
      batch.map(({ textHash }, index) => ({ textHash, vector: embedded[index] as Float32Array })),
    );
    const progress = vectors.coverage(embedder.id);
    for (const listener of this.#listeners) listener(progress);
    return true;
  }
}
