import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type {
  CallToolResult,
  JsonObject,
  Logger,
  ServerSpec,
  ServerTransport,
  Tool,
  Upstream,
  UpstreamCallOptions,
} from '../../src/model/index.ts';
import { createUpstream, type UpstreamOptions } from '../../src/upstream/index.ts';
import { MemoryCatalog } from './memory-catalog.ts';

export const fixtures = resolve(import.meta.dirname, '../fixtures/servers');
export const nodeModules = resolve(import.meta.dirname, '../../node_modules');

export const baseEnv = Object.fromEntries(
  ['HOME', 'PATH', 'USER'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
) as Record<string, string>;

export interface LogLine {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

export function recordingLogger(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function spec(id: string, transport: ServerTransport, part: Partial<ServerSpec> = {}): ServerSpec {
  return {
    id,
    position: 0,
    transport,
    timeoutMs: 20_000,
    maxTimeoutMs: 60_000,
    connectTimeoutMs: 20_000,
    tools: { include: [], exclude: [] },
    fingerprint: `print-${id}`,
    ...part,
  };
}

/** A server run by node: `args` is the script and what it gets. */
export function nodeServer(
  id: string,
  args: string[],
  part: Partial<ServerSpec> & { env?: Record<string, string> } = {},
) {
  const { env = {}, ...rest } = part;
  return spec(id, { kind: 'stdio', command: process.execPath, args, env }, rest);
}

/** The configurable server of `raw-server.mjs`. */
export function rawServer(
  id: string,
  settings: JsonObject = {},
  part: Partial<ServerSpec> & { env?: Record<string, string> } = {},
) {
  return nodeServer(id, [join(fixtures, 'raw-server.mjs'), JSON.stringify(settings)], part);
}

export function tool(serverId: string, toolName: string, inputSchema: JsonObject = { type: 'object' }): Tool {
  return {
    serverId,
    toolName,
    key: 1,
    exposedName: `${serverId}__${toolName}`,
    position: 0,
    status: 'ok',
    hash: '',
    definition: {},
    inputSchema,
  };
}

/** Whoever says nothing of questions gets results alone. */
type PlainUpstream = {
  call(tool: Tool, args: JsonObject, options?: Omit<UpstreamCallOptions, 'elicitation'>): Promise<CallToolResult>;
} & Upstream;

/** An upstream over these servers, closed when the test ends. */
export function upstreamOf(servers: ServerSpec[], part: Partial<UpstreamOptions> & { catalog?: MemoryCatalog } = {}) {
  const catalog = part.catalog ?? new MemoryCatalog();
  const logger = recordingLogger();
  const upstream = createUpstream({
    servers,
    logger,
    baseEnv,
    clientInfo: { name: 'toolcrib-test', version: '0' },
    ...part,
    catalog,
  }) as PlainUpstream;
  onTestFinished(() => upstream.close());
  return { upstream, catalog, logger };
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The lines of a file of JSON lines, none when there is no such file. */
export function readRecord(file: string): JsonObject[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as JsonObject);
}

/** Waits until `check` gives something other than false or undefined. */
export async function until<T>(check: () => T | false | undefined, what: string, limitMs = 15_000): Promise<T> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    const value = check();
    if (value !== false && value !== undefined) return value;
    await new Promise((wait) => setTimeout(wait, 20));
  }
  throw new Error(`Waited in vain: ${what}`);
}

/** True for a process that runs; one that is dead but not reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // The state follows the name, which may hold anything but ends with the last bracket.
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** Moves the steady clock ahead, as if so much time had passed; until the test ends. */
export function passTime(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => void vi.restoreAllMocks());
}
