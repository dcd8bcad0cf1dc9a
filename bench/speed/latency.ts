import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SearchArm } from 'toolcrib';
import type { ServerTools } from '../data/load-tools.ts';
import { percentile, round } from '../metrics/score.ts';

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** Compiling goes on behind the first thousand searches of a process, and takes one of two cores. */
const warmUpQueries = 1_000;
const maxWarmUpWords = 12;
const limit = 10;

/**
 * Milliseconds a search, each query once: the product keeps the vectors of queries it has seen. `warmUp` are other queries,
 * asked before and not counted.
 */
export async function measureLatency(
  search: (query: string, limit: number) => Promise<unknown>,
  queries: readonly string[],
  warmUp: readonly string[],
): Promise<Latency> {
  for (const query of warmUp) await search(query, limit);
  const times: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    await search(query, limit);
    times.push(performance.now() - start);
  }
  return latencyOf(times);
}

/** The same for an arm of toolcrib over a catalog file, in a process of its own. */
export async function measureArm(
  arm: SearchArm,
  catalog: string,
  queries: readonly string[],
  warmUp: readonly string[],
): Promise<Latency> {
  const child = spawn(process.execPath, [searchProcess], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ catalog, arm, queries, warmUp, limit }));
  const [times, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`${searchProcess} ended with ${code}.`);
  return latencyOf(JSON.parse(times));
}

const searchProcess = fileURLToPath(new URL('search-process.mjs', import.meta.url));

function latencyOf(times: readonly number[]): Latency {
  return {
    p50: round(percentile(times, 0.5)),
    p95: round(percentile(times, 0.95)),
    p99: round(percentile(times, 0.99)),
  };
}

/** Queries unlike those of the labelled sets: how the descriptions of tools from all over a catalog begin. */
export function warmUpQueriesFrom(servers: readonly ServerTools[]): string[] {
  const starts = servers.flatMap(({ tools }) => tools.map(({ description }) => startOf(description)));
  const distinct = [...new Set(starts)].filter((start) => start !== '');
  const step = Math.max(1, distinct.length / warmUpQueries);
  const count = Math.min(warmUpQueries, distinct.length);
  return Array.from({ length: count }, (_, index) => distinct[Math.floor(index * step)] as string);
}

function startOf(description: unknown): string {
  if (typeof description !== 'string') return '';
  const [sentence = ''] = description.split(/[.\n]/u);
  return sentence.trim().split(/\s+/u).slice(0, maxWarmUpWords).join(' ');
}
