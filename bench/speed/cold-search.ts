import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { percentile } from '../metrics/score.ts';
import { builtExecutable, isolatedEnvironment } from './child-process.ts';

/**
 * Wall time of `toolcrib search QUERY --catalog FILE --json` from start to exit, each in a process of its own: the median
 * over the queries. Rejects when a search fails or finds nothing.
 */
export async function coldSearchMs(catalog: string, queries: readonly string[], home: string): Promise<number> {
  const times: number[] = [];
  for (const query of queries) times.push(await searchOnce(catalog, query, home));
  return percentile(times, 0.5);
}

async function searchOnce(catalog: string, query: string, home: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [builtExecutable(), 'search', query, '--catalog', catalog, '--json'], {
    cwd: home,
    env: isolatedEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let problems = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const [code] = await once(child, 'close');
  const elapsedMs = performance.now() - start;
  if (code !== 0 || !output.includes('"hits"')) {
    throw new Error(`toolcrib search ${JSON.stringify(query)} ended with ${code}: ${problems || output}`);
  }
  return elapsedMs;
}
