/** A slice of work between two turns of the event loop: others wait no longer than they would for one tool call. */
const sliceMs = 10;

/** Work that follows a list, such as indexing and scanning, in the background, slice by slice. */
export class SlicedWork {
  readonly #work: (limitMs: number) => boolean;
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** `work` goes on for about `limitMs`; true when something is left. */
  constructor(work: (limitMs: number) => boolean) {
    this.#work = work;
  }

  /** Starts on what is there; harmless when it runs already. Resolves when nothing is left. */
  run(): Promise<void> {
    this.#running ??= this.#workAll().finally(() => {
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

  async #workAll(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#isStopped && this.#work(sliceMs));
  }
}
