/** First pause of background work after a failure. */
const startMs = 30_000;
/** Longest pause: a server that is away for a day is found within this time of its return. */
const maxMs = 30 * 60_000;

/** When background work may try a failed server again. Explicit calls and syncs do not ask. */
export class Backoff {
  #failures = 0;
  #failedAt = 0;

  failed(now = Date.now()): void {
    this.#failures += 1;
    this.#failedAt = now;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Milliseconds since the epoch; 0 when nothing failed. */
  get nextAt(): number {
    if (this.#failures === 0) return 0;
    return this.#failedAt + Math.min(startMs * 2 ** (this.#failures - 1), maxMs);
  }
}
