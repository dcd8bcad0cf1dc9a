import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { percentile, round } from '../metrics/score.ts';
import type { Latency } from './latency.ts';

/** A server that answers at once. */
export const echoServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('echo-server.mjs', import.meta.url))],
};

export interface Program {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** A way to the echo tool, from a host's side. */
export interface EchoRoute {
  /** One call and its answer. Throws when the text does not come back. */
  call(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a program and calls `tool` on it: of an echo server itself, or of something before it. */
export async function openRoute(
  program: Program,
  tool: string,
  argumentsFor: (text: string) => object,
): Promise<EchoRoute> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));
  return {
    call: async (text) => {
      const result = await client.callTool({ name: tool, arguments: { ...argumentsFor(text) } });
      const [block] = result.content;
      if (block?.type !== 'text' || block.text !== text)
        throw new Error(`Expected ${text}, got ${JSON.stringify(result)}`);
    },
    close: () => client.close(),
  };
}

/** The first calls start the server and warm the compiler up; they are not counted. */
const warmUpCalls = 200;

/** `n` calls on each route in turn, so that whatever else the machine does falls on all of them alike. */
export async function interleavedLatency(routes: readonly EchoRoute[], n: number): Promise<Latency[]> {
  const times = routes.map((): number[] => []);
  for (let index = -warmUpCalls; index < n; index += 1) {
    for (const [place, route] of routes.entries()) {
      const start = performance.now();
      await route.call(`message ${index}`);
      if (index >= 0) times[place]?.push(performance.now() - start);
    }
  }
  return times.map((all) => ({
    p50: round(percentile(all, 0.5)),
    p95: round(percentile(all, 0.95)),
    p99: round(percentile(all, 0.99)),
  }));
}
