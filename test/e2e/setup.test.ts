import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost, type Generation, generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import { put, temporaryPlaces } from '../setup/places.ts';

const programPath = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const memoryServer = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
);

const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** Starts the `toolcrib` entry of a host's file as that host would: its command and arguments, nothing else known. */
async function startEntry(path: string, env: Record<string, string>, generation: Generation): Promise<Host> {
  const { mcpServers } = JSON.parse(readFileSync(path, 'utf8'));
  expect(Object.keys(mcpServers)).toEqual(['toolcrib']);
  const { command, args } = mcpServers.toolcrib;
  const host = await connectHost(generation, { kind: 'stdio', command, args, env });
  hosts.push(host);
  return host;
}

describe('a newcomer with a .mcp.json', () => {
  it.each(generations)(
    'has a working entry in two commands, and the file back with a third: %s',
    async (generation) => {
      const places = temporaryPlaces();
      const env = { HOME: places.home, PATH: process.env.PATH ?? '' };
      const servers = {
        memory: {
          command: process.execPath,
          args: [memoryServer],
          env: { MEMORY_FILE_PATH: join(places.home, 'memory.json') },
        },
      };
      const path = put(join(places.currentFolder, '.mcp.json'), { mcpServers: servers });
      chmodSync(path, 0o644);
      const before = readFileSync(path);
      const cli = (...args: string[]) => runProgram(args, env, places.currentFolder);

      expect(await cli('import', '.mcp.json', '--yes')).toMatchObject({ code: 0 });
      expect(await cli('install', 'claude-code')).toMatchObject({ code: 0 });

      const host = await startEntry(path, env, generation);
      const names = async () => (await host.listTools()).map(({ name }) => name);
      expect(await names()).toContain('call_tool');
      await expect
        .poll(async () => textOf(await host.call('search_tools', { query: 'read the graph of knowledge' })), {
          timeout: 30_000,
        })
        .toContain('memory__read_graph');
      const called = await host.call('call_tool', {
        name: 'memory__create_entities',
        arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] },
      });
      expect(called.isError ?? false).toBe(false);
      expect(textOf(called)).toContain('Ada');

      expect(await cli('uninstall', 'claude-code')).toMatchObject({ code: 0 });
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o644);
    },
  );
});

function runProgram(
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [programPath, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
