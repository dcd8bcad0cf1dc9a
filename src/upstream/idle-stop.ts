/** A connection that is needed at the end of its time is looked at again after this, or after its time if that is less. */
const lookAgainMs = 60_000;

export interface IdleStopOptions {
  /** Milliseconds; 0 never stops. */
  timeoutMs: number;
  /** True while the connection must stay: calls are under way, or a host waits for notices of change. */
  isNeeded(): boolean;
  stop(): void;
}

/** Stops what nobody has used for some time. */
export class IdleStop {
  readonly #options: IdleStopOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleStopOptions) {
    this.#options = options;
  }

  /** The time starts anew. */
  used(): void {
    this.#wait(this.#options.timeoutMs);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.clear();
    const { timeoutMs, isNeeded, stop } = this.#options;
    if (timeoutMs === 0) return;
    this.#timer = setTimeout(() => {
      if (isNeeded()) this.#wait(Math.min(timeoutMs, lookAgainMs));
      else stop();
    }, ms).unref();
  }
}
