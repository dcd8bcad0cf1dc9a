import type { BatchCounter } from './token-thread.ts';

/** A large result seldom comes alone; later on, the memory of the tokenizer is worth more than the 0.3 s of its start. */
const idleMs = 60_000;

/** Counts on a thread that starts with the first texts and ends when there have been none for a while. */
export class WarmTokenThread {
  readonly #start: () => BatchCounter;
  #counter: BatchCounter | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: () => BatchCounter) {
    this.#start = start;
  }

  /** One list after the other. */
  async count(texts: string[]): Promise<number[]> {
    clearTimeout(this.#timer);
    this.#waiting += 1;
    const counts = this.#last.then(() => this.#countNow(texts));
    this.#last = counts.catch(() => undefined);
    try {
      return await counts;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#timer = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const counter = this.#counter;
    this.#counter = undefined;
    await counter?.close();
  }

  async #countNow(texts: string[]): Promise<number[]> {
    this.#counter ??= this.#start();
    try {
      return await this.#counter.count(texts);
    } catch (error) {
      // A thread that ended never answers again; the next one may.
      this.#counter = undefined;
      throw error;
    }
  }
}
