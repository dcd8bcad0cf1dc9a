import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { asSchema } from 'ai';
import { afterAll, describe, expect, it } from 'vitest';
import { mcpServer } from '../../src/app/mcp.ts';
import type { AiSdkTools } from '../../src/host/ai-sdk.ts';
import { aiSdkTools, anthropicTools, openaiTools } from '../../src/host/index.ts';
import type { CreateOptions, Toolcrib } from '../../src/index.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';
import { blocksServer, create, notes } from './set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-stability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What each adapter would send to its provider. */
const adapters: [string, (crib: Toolcrib) => unknown][] = [
  ['anthropic', (crib) => anthropicTools(crib).tools()],
  ['anthropic, deferred', (crib) => anthropicTools(crib, { deferred: true }).tools([])],
  ['openai responses', (crib) => openaiTools(crib).responses.tools()],
  ['openai chat', (crib) => openaiTools(crib).chat.tools()],
  ['ai-sdk', (crib) => aiSdkBytes(aiSdkTools(crib))],
  ['mcp', mcpList],
];

function aiSdkBytes(tools: AiSdkTools) {
  return Object.entries(tools).map(([name, { description, inputSchema }]) => [
    name,
    description,
    asSchema(inputSchema).jsonSchema,
  ]);
}

async function mcpList(crib: Toolcrib) {
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(mcpServer(crib).transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

/** Its tools stand in a file, and change with it. */
function changingServer(part: string) {
  const tools = join(folder, `${part}.json`);
  const write = (list: unknown[]) => writeFileSync(tools, JSON.stringify(list));
  write(notes);
  return { write, config: { command: process.execPath, args: [fixtureServer('changing-server.mjs'), tools] } };
}

describe.each(adapters)('%s', (name, list) => {
  const bytes = async (crib: Toolcrib) => JSON.stringify(await list(crib));
  const part = name.replace(/\W+/g, '-');
  const file = (kind: string) => join(folder, `${part}-${kind}.sqlite`);

  it('is the same bytes at every turn, after restarts and reconnects, whatever servers do and in whatever order they come', async () => {
    const seen: string[] = [];
    const start = (options: CreateOptions) => create({ catalog: file('discovery'), ...options });
    const changing = changingServer(part);
    const first = start({ mcpServers: { one: blocksServer, two: changing.config } });
    seen.push(await bytes(first));
    await first.sync(['two']);
    seen.push(await bytes(first));
    await first.sync(['one']);
    const changed = new Promise((heard) => first.on('toolsChanged', heard));
    changing.write([...notes, { name: 'a_new_one', inputSchema: { type: 'object' } }]);
    await changed;
    seen.push(await bytes(first));
    await first.call('one__leave');
    seen.push(await bytes(first));
    await first.call('search_tools', { query: 'give structured' });
    expect((await first.call('call_tool', { name: 'one__structured' })).isError ?? false).toBe(false);
    seen.push(await bytes(first), await bytes(first));
    first.ingest('more', notes);
    seen.push(await bytes(first));
    first.ingest('more', [{ ...notes[0], description: 'Something else entirely.' }]);
    seen.push(await bytes(first));
    await first.close();
    const again = start({ mcpServers: { two: changing.config, one: blocksServer } });
    seen.push(await bytes(again));
    await again.sync();
    seen.push(await bytes(again));
    await again.close();
    const elsewhere = start({ mcpServers: { gone: { command: 'no-such-program' } } });
    await elsewhere.sync();
    seen.push(await bytes(elsewhere));
    expect(new Set(seen).size).toBe(1);
  });

  it('shows the accepted definition of a pinned tool, whatever its server says later', async () => {
    const crib = create({ pinned: ['notes__write_note'], catalog: file('pins') });
    crib.ingest('notes', notes);
    const accepted = await bytes(crib);
    expect(accepted).toContain('Writes a note to the notebook.');
    const changed = { type: 'object', properties: { text: { type: 'string' }, to: { type: 'string' } } };
    crib.ingest('notes', [{ ...notes[0], description: 'Sends a note away.', inputSchema: changed }]);
    expect(crib.listTools().find(({ tool }) => tool === 'write_note')?.status).toBe('changed');
    expect(await bytes(crib)).toBe(accepted);
    await crib.close();
    expect(await bytes(create({ pinned: ['notes__write_note'], catalog: file('pins') }))).toBe(accepted);
  });

  it('changes with a switch of the mode alone, which is announced before', async () => {
    const crib = create({ mode: 'auto', thresholdTokens: 500, liveModeSwitch: true });
    const changes: [string, string][] = [];
    crib.on('modeChanged', ({ from, to }) => changes.push([from, to]));
    crib.ingest('notes', notes);
    const direct = await bytes(crib);
    expect(direct).toContain('notes__write_note');
    expect(changes).toEqual([]);
    const large = { name: 'large', description: 'word '.repeat(900), inputSchema: { type: 'object' } };
    crib.ingest('large', [large]);
    expect(changes).toEqual([['direct', 'discovery']]);
    const discovery = await bytes(crib);
    crib.ingest('larger', [{ ...large, name: 'larger' }]);
    expect(await bytes(crib)).toBe(discovery);
    crib.ingest('larger', []);
    crib.ingest('larger', []);
    expect(changes).toHaveLength(1);
    crib.ingest('large', [{ ...large, description: 'word' }]);
    expect(changes).toEqual([
      ['direct', 'discovery'],
      ['discovery', 'direct'],
    ]);
    expect(await bytes(crib)).not.toBe(discovery);
  });

  it('is nothing that a host can change under others', async () => {
    const crib = create();
    const before = await bytes(crib);
    const mine = (await list(crib)) as Record<string, unknown>[];
    for (const tool of mine) for (const key of Object.keys(tool)) tool[key] = undefined;
    mine.splice(0);
    expect(await bytes(crib)).toBe(before);
  });
});
