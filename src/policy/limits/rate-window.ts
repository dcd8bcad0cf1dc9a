import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

/** Counts what happens under a key within a time, in memory; the counts of idle keys go away by themselves. */
export class RateWindow {
  readonly #limiter: RateLimiterMemory;
  readonly #mostMs: number;

  constructor(limit: { most: number; perSeconds: number }) {
    this.#limiter = new RateLimiterMemory({ points: limit.most, duration: limit.perSeconds });
    this.#mostMs = limit.perSeconds * 1_000;
  }

  /** Counts once more. Undefined while that is within the limit, else the milliseconds until it is again. */
  async count(key: string): Promise<number | undefined> {
    try {
      await this.#limiter.consume(key);
      return undefined;
    } catch (over) {
      // Where the clock was set back the figure is too large; the count ends by a timer all the same.
      return Math.min(this.#mostMs, Math.max(1, Math.ceil((over as { msBeforeNext: number }).msBeforeNext)));
    }
  }

  /** Takes one count back. */
  async uncount(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }
}
