import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { loadTokenCounter } from '../render/index.ts';

/** Counts tokens apart from the event loop of the program. */
export interface BatchCounter {
  count(texts: string[]): Promise<number[]>;
  /** Gives back the memory of the tokenizer. */
  close(): Promise<void>;
}

/**
 * A thread that counts: loading the tokenizer takes 0.2 s and a large definition 20 ms, for which nobody should wait. Where
 * `workerPath` does not exist, since the program is not built, counting happens here.
 */
export function startTokenThread(workerPath: string): BatchCounter {
  return existsSync(workerPath) ? new TokenThread(workerPath) : inThisThread();
}

class TokenThread implements BatchCounter {
  readonly #worker: Worker;

  constructor(workerPath: string) {
    this.#worker = new Worker(workerPath, { execArgv: [] });
  }

  /** One list at a time. */
  count(texts: string[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      // Only who waits for counts keeps the program alive, not the thread by itself.
      this.#worker.ref();
      const settle = (error: Error | undefined, counts: number[] = []) => {
        this.#worker.unref();
        this.#worker.off('message', onMessage).off('error', settle).off('exit', onExit);
        if (error === undefined) resolve(counts);
        else reject(error);
      };
      const onMessage = (counts: number[]) => settle(undefined, counts);
      const onExit = () => settle(new Error('The thread that counts tokens ended.'));
      this.#worker.on('message', onMessage).on('error', settle).on('exit', onExit);
      this.#worker.postMessage(texts);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function inThisThread(): BatchCounter {
  return {
    count: async (texts) => texts.map(await loadTokenCounter()),
    close: async () => undefined,
  };
}
