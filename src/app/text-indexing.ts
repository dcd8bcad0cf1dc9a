/** The part of the catalog that makes what is searched for in its tools. */
export interface PendingTextStore {
  /** Works for about `limitMs`; true when something is left. */
  indexPending(limitMs: number): boolean;
}

/** A slice of work between two turns of the event loop: others wait no longer than they would for one tool call. */
const sliceMs = 10;

/** Makes keywords and embedding texts of tools that were listed, in the background, slice by slice. */
export class TextIndexing {
  readonly #store: PendingTextStore;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(store: PendingTextStore) {
    this.#store = store;
  }

  /** Starts on what is there; harmless when it runs already. Resolves when nothing is left. */
  run(): Promise<void> {
    this.#running ??= this.#indexAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves when what is running is done, or after `limitMs`; failures are told by `run`. */
  async wait(limitMs: number): Promise<void> {
    if (this.#running === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#running.catch(() => undefined), late]);
    clearTimeout(timer);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #indexAll(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#isStopped && this.#store.indexPending(sliceMs));
  }
}
