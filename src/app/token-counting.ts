import type { Tool } from '../model/index.ts';

/** The part of the catalog that keeps token counts. */
export interface TokenCountStore {
  /** Callable tools whose definition has no count yet, at most `limit`. */
  uncountedTools(limit: number): Tool[];
  setTokenCounts(counts: readonly { key: number; hash: string; tokens: number }[]): void;
}

/** Tools a slice: the largest known definition takes 17 ms, a usual one 0.2 ms, so a slice stays near 10 ms. */
const toolsPerSlice = 32;

/**
 * Counts the o200k tokens of every definition in the background: exact figures for the mode and `stats`, without
 * holding up ingest. The tokenizer is loaded only when there is something to count.
 */
export class TokenCounting {
  readonly #store: TokenCountStore;
  readonly #loadCounter: () => Promise<(text: string) => number>;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(store: TokenCountStore, loadCounter: () => Promise<(text: string) => number>) {
    this.#store = store;
    this.#loadCounter = loadCounter;
  }

  /** Starts counting what is new; harmless when it runs already. Resolves when nothing is left to count. */
  run(): Promise<void> {
    this.#running ??= this.#countAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #countAll(): Promise<void> {
    while (!this.#isStopped) {
      const tools = this.#store.uncountedTools(toolsPerSlice);
      if (tools.length === 0) return;
      const count = await this.#loadCounter();
      if (this.#isStopped) return;
      this.#store.setTokenCounts(
        tools.map(({ key, hash, definition }) => ({ key, hash, tokens: count(JSON.stringify(definition)) })),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
