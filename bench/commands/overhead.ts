import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { round } from '../metrics/score.ts';
import { echoServer, interleavedLatency, openRoute, type Program } from '../speed/call-latency.ts';
import { builtExecutable, isolatedEnvironment } from '../speed/child-process.ts';
import type { Latency } from '../speed/latency.ts';

/** What a call costs more through toolcrib, in milliseconds. */
export interface OverheadReport {
  /** Calls each way. */
  n: number;
  /** A host on stdio, and the server. */
  direct: Latency;
  /** A host on stdio, `toolcrib serve` with `call_tool`, and the server. */
  router: Latency;
  /** Percentile by percentile. */
  added: Latency;
}

/** The same call directly and through toolcrib, in turn, in one run. Needs a build. */
export async function measureOverhead({ n }: { n: number }): Promise<OverheadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-overhead-'));
  const direct = await openRoute(echoServer, 'echo', (text) => ({ text }));
  const router = await openRoute(toolcrib(folder), 'call_tool', (text) => ({
    name: 'echo__echo',
    arguments: { text },
  }));
  try {
    const [directMs, routerMs] = await interleavedLatency([direct, router], n);
    if (directMs === undefined || routerMs === undefined) throw new Error('A route was not measured.');
    return { n, direct: directMs, router: routerMs, added: difference(routerMs, directMs) };
  } finally {
    await Promise.all([direct.close(), router.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** toolcrib with the echo server alone, listed already, as a user would have it; without embedding, as nothing is searched. */
function toolcrib(folder: string): Program {
  const config = join(folder, 'toolcrib.json');
  writeFileSync(config, JSON.stringify({ mode: 'discovery', embedding: 'none', mcpServers: { echo: echoServer } }));
  const places = ['--config', config, '--catalog', join(folder, 'catalog.db')];
  const env = isolatedEnvironment(folder);
  execFileSync(process.execPath, [builtExecutable(), 'sync', ...places], { env, stdio: 'ignore' });
  return {
    command: process.execPath,
    args: [builtExecutable(), 'serve', ...places],
    env: env as Record<string, string>,
  };
}

function difference(a: Latency, b: Latency): Latency {
  return { p50: round(a.p50 - b.p50), p95: round(a.p95 - b.p95), p99: round(a.p99 - b.p99) };
}
