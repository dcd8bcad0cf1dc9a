/** The part of rate-limiter-flexible that is used here: its index loads clients of a dozen databases, for seconds. */
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  export interface RateLimiterRes {
    msBeforeNext: number;
    consumedPoints: number;
  }

  // biome-ignore lint/style/noDefaultExport: describes a foreign package
  export default class RateLimiterMemory {
    constructor(options: { points: number; duration: number });
    /** Rejects with a `RateLimiterRes`. */
    consume(key: string, points?: number): Promise<RateLimiterRes>;
    reward(key: string, points?: number): Promise<RateLimiterRes>;
  }
}
