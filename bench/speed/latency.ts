import { percentile, round } from '../metrics/score.ts';

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** The first queries warm caches and compiler up; they are not counted and not asked again. */
const warmUpQueries = 20;
const limit = 10;

/** Milliseconds a search, warm, each query asked once: the product keeps the vectors of queries it has seen. */
export async function measureLatency(
  search: (query: string, limit: number) => Promise<unknown>,
  queries: readonly string[],
): Promise<Latency> {
  const times: number[] = [];
  for (const [index, query] of queries.entries()) {
    const start = performance.now();
    await search(query, limit);
    if (index >= Math.min(warmUpQueries, queries.length / 2)) times.push(performance.now() - start);
  }
  return {
    p50: round(percentile(times, 0.5)),
    p95: round(percentile(times, 0.95)),
    p99: round(percentile(times, 0.99)),
  };
}
