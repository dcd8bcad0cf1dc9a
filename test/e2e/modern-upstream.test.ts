import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, textOf } from '../fixtures/hosts/index.ts';
import { Workspace } from './program.ts';

const pollOptions = { timeout: 15_000, interval: 100 };

describe.each(['stdio', 'http', 'http, modern only'])('a server of revision 2026-07-28 over %s', (kind) => {
  const endings: (() => Promise<unknown>)[] = [];
  let host: Host;

  beforeAll(async () => {
    const modern = kind === 'stdio' ? stdioEntry() : await httpEntry(kind === 'http' ? [] : ['modern-only']);
    const workspace = await Workspace.create({ mode: 'discovery', mcpServers: { modern } });
    endings.push(() => workspace.remove());
    const [sync] = await workspace.json<{ state: string; tools: number }[]>('sync');
    expect(sync).toMatchObject({ state: 'ok' });
    ({ host } = await workspace.serve('stdio', 'v1'));
  });
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });

  function stdioEntry() {
    return { command: process.execPath, args: [fixture('modern-stdio.mjs')] };
  }

  async function httpEntry(args: string[]) {
    const child = spawn(process.execPath, [fixture('modern-http.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endings.push(async () => child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    return { type: 'http', url };
  }

  it('is called by a host of the older revisions', async () => {
    const args = { name: 'modern__echo', arguments: { region: 'north' } };
    expect(textOf(await host.call('call_tool', args))).toContain('"args":{"region":"north"}');
  });

  it('has its structured list given as text, which the older revisions cannot carry', async () => {
    const result = await host.call('call_tool', { name: 'modern__array', arguments: {} });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe('["a","b"]');
  });

  it('tells of a tool that it adds, and the next search finds it', async () => {
    const search = async () => textOf(await host.call('search_tools', { query: 'polish teapot' }));
    expect(await search()).not.toContain('modern__polish_teapot');
    await host.call('call_tool', { name: 'modern__add_tool', arguments: { name: 'polish_teapot' } });
    await expect.poll(search, pollOptions).toContain('modern__polish_teapot');
  });
});

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url));
}
