import { steadyNow } from '../model/index.ts';
import { jittered } from './jitter.ts';

/** Pause before the first restart, doubled while the server does not stay. */
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
/** A connection that held this long was in order: its end is answered as the first one. */
const stableMs = 60_000;

export interface RestartOptions {
  /** True while a host waits for notices of the server, and it is not connected. */
  isNeeded(): boolean;
  /** When the server may be tried again, in milliseconds since the epoch. */
  nextTryAt(): number;
  /** Connects and lists. */
  start(): Promise<unknown>;
}

/**
 * Starts a server again that ended by itself while a host waits for its notices of change: such a host asks for nothing
 * meanwhile, so nothing else would.
 */
export class Restart {
  readonly #options: RestartOptions;
  readonly #random: () => number;
  #timer: NodeJS.Timeout | undefined;
  #ends = 0;

  constructor(options: RestartOptions, random: () => number = Math.random) {
    this.#options = options;
    this.#random = random;
  }

  /** The connection broke by itself. */
  lost(livedMs: number): void {
    this.#ends = livedMs >= stableMs ? 1 : this.#ends + 1;
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.stop();
    const { isNeeded, nextTryAt, start } = this.#options;
    if (!isNeeded()) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#ends - 1), longestPauseMs);
    const delayMs = jittered(Math.max(pauseMs, nextTryAt() - steadyNow()), this.#random);
    this.#timer = setTimeout(() => {
      if (isNeeded()) start().catch(() => this.#wait());
    }, delayMs).unref();
  }
}
