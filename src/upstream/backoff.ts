import { steadyNow } from '../model/index.ts';
import { jittered } from './jitter.ts';

/** First pause of background work after a failure. */
const startMs = 30_000;
/** Longest pause, but for jitter: a server that is away for a day is found within this time of its return. */
const maxMs = 30 * 60_000;

/** When background work may try a failed server again. Explicit calls and syncs do not ask. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #nextAt = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  failed(now = steadyNow()): void {
    this.#nextAt = now + jittered(Math.min(startMs * 2 ** this.#failures, maxMs), this.#random);
    this.#failures += 1;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#nextAt = 0;
  }

  /** Milliseconds since the epoch; 0 when nothing failed. */
  get nextAt(): number {
    return this.#nextAt;
  }
}
