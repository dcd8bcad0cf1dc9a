import type { BatchCounter } from './token-thread.ts';

/** The part of the catalog that keeps token counts. */
export interface TokenCountStore {
  /** Callable tools whose definition, as JSON, has no count yet, at most `limit`. */
  uncountedTools(limit: number): { key: number; hash: string; definition: string }[];
  setTokenCounts(counts: readonly { key: number; hash: string; tokens: number }[]): void;
}

/** Tools a batch: reading and writing them takes a few milliseconds, counting happens elsewhere. */
const toolsPerBatch = 32;

/**
 * Counts the o200k tokens of every definition in the background: exact figures for the mode and `stats`, without
 * holding up ingest. The counter is started only when there is something to count, and ended when there is no more.
 */
export class TokenCounting {
  readonly #store: TokenCountStore;
  readonly #startCounter: () => BatchCounter;
  #counter: BatchCounter | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(store: TokenCountStore, startCounter: () => BatchCounter) {
    this.#store = store;
    this.#startCounter = startCounter;
  }

  /** Starts counting what is new; harmless when it runs already. Resolves when nothing is left to count. */
  run(): Promise<void> {
    this.#running ??= this.#countAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends after the batch at hand, without waiting for its counts. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#closeCounter();
    await this.#running?.catch(() => undefined);
  }

  async #countAll(): Promise<void> {
    try {
      while (!this.#isStopped) {
        const tools = this.#store.uncountedTools(toolsPerBatch);
        if (tools.length === 0) return;
        this.#counter ??= this.#startCounter();
        const counts = await this.#counter.count(tools.map(({ definition }) => definition));
        if (this.#isStopped) return;
        this.#store.setTokenCounts(
          tools.map(({ key, hash }, index) => ({ key, hash, tokens: counts[index] as number })),
        );
      }
    } catch (error) {
      if (!this.#isStopped) throw error;
    } finally {
      await this.#closeCounter();
    }
  }

  async #closeCounter(): Promise<void> {
    const counter = this.#counter;
    this.#counter = undefined;
    await counter?.close();
  }
}
