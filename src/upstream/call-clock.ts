import { type ServerSpec, steadyNow } from '../model/index.ts';

type Limit = 'idle' | 'maximum';

/**
 * The two limits of a call: `timeoutMs` without a sign of life, `maxTimeoutMs` in all. Both stand still while the call
 * waits for its user, who has a limit of their own.
 */
export class CallClock {
  readonly #spec: ServerSpec;
  readonly #onLimit: (limit: Limit) => void;
  /** What is left of `maxTimeoutMs` when the clock was started last. */
  #remainingMs: number;
  #startedAt = 0;
  #idle: NodeJS.Timeout | undefined;
  #maximum: NodeJS.Timeout | undefined;

  constructor(spec: ServerSpec, onLimit: (limit: Limit) => void) {
    this.#spec = spec;
    this.#onLimit = onLimit;
    this.#remainingMs = spec.maxTimeoutMs;
    this.start();
  }

  /** A sign of life. */
  touch(): void {
    this.#idle?.refresh();
  }

  start(): void {
    if (this.#maximum !== undefined) return;
    this.#startedAt = steadyNow();
    this.#idle = setTimeout(this.#onLimit, this.#spec.timeoutMs, 'idle');
    this.#maximum = setTimeout(this.#onLimit, this.#remainingMs, 'maximum');
  }

  stop(): void {
    if (this.#maximum === undefined) return;
    clearTimeout(this.#idle);
    clearTimeout(this.#maximum);
    this.#idle = undefined;
    this.#maximum = undefined;
    this.#remainingMs = Math.max(1, this.#remainingMs - (steadyNow() - this.#startedAt));
  }
}
