import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CreateOptions, createToolcrib, type Toolcrib } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-app-'));
const open = new Set<Toolcrib>();

function create(options: CreateOptions = {}): Toolcrib {
  const crib = createToolcrib(options);
  open.add(crib);
  return crib;
}

afterEach(async () => {
  for (const crib of open) await crib.close();
  open.clear();
});

const tools = [
  {
    name: 'write_note',
    description: 'Writes a note to the notebook.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  { name: 'read_note', description: 'Reads a note.', inputSchema: { type: 'object' } },
];

/** A real server, one Node process. */
function memoryServer() {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json');
  return {
    command: process.execPath,
    args: [join(dirname(manifest), 'dist/index.js')],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  };
}

describe('a catalog without servers', () => {
  it('is filled by ingest, searched, described and counted', async () => {
    const crib = create({ embedding: 'none' });
    expect(crib.ingest('notes', tools)).toMatchObject({ accepted: true, added: ['write_note', 'read_note'] });
    const { hits } = await crib.search('write down a note');
    expect(hits[0]).toMatchObject({
      name: 'notes__write_note',
      server: 'notes',
      tool: 'write_note',
      signature: 'notes__write_note(text: string)',
    });
    expect(crib.describe('write_note')).toMatchObject({ name: 'notes__write_note', status: 'ok' });
    expect(await crib.stats()).toMatchObject({ servers: 1, tools: 2, tokenizer: 'o200k_base' });
    expect(crib.listServers()).toMatchObject([{ server: 'notes', tools: 2, stale: false }]);
  });

  it('gives vectors to what was ingested, and says until then that they are missing', async () => {
    const crib = create();
    crib.ingest('notes', tools);
    const early = await crib.search('save a memo');
    expect(early.notes.map(({ code }) => code)).toContain('vectors_pending');
    await crib.settled();
    const late = await crib.search('save a memo');
    expect(late.notes.map(({ code }) => code)).not.toContain('vectors_pending');
    expect(late.hits[0]?.tool).toBe('write_note');
  });

  it('tells a caller that no server stands behind an ingested tool', async () => {
    const crib = create({ embedding: 'none' });
    crib.ingest('notes', tools);
    const result = await crib.call('notes__write_note', { text: 'x' });
    expect(result.isError).toBe(true);
  });

  it('is there again for the next process', async () => {
    const catalog = join(folder, 'again.sqlite');
    const first = create({ catalog, embedding: 'none' });
    first.ingest('notes', tools);
    await first.close();
    expect((await create({ catalog, embedding: 'none' }).search('note')).hits).toHaveLength(2);
  });
});

describe('modes', () => {
  it('decides at the first look at the list, runs meta-tools in any mode, and reports what would be next', async () => {
    const crib = create({ embedding: 'none' });
    crib.ingest('notes', tools);
    expect(crib.tools().map(({ name }) => name)).toEqual([
      'notes__read_note',
      'notes__write_note',
      'toolcrib__read_result',
    ]);
    const answer = await crib.call('search_tools', { query: 'note' });
    expect(answer.isError).toBeUndefined();
    crib.ingest('big', [{ name: 'huge', description: 'word '.repeat(12_000), inputSchema: { type: 'object' } }]);
    expect(await crib.stats()).toMatchObject({ mode: 'direct', nextMode: 'discovery' });
  });
});

describe('a configured server', () => {
  it('is listed, called and ended; events tell of it', async () => {
    const crib = create({ mcpServers: { memory: memoryServer() }, embedding: 'none' });
    const states: string[] = [];
    const changes: string[] = [];
    crib.on('serverState', ({ state }) => states.push(state));
    crib.on('toolsChanged', ({ added }) => changes.push(...added));
    expect(await crib.sync()).toMatchObject([{ server: 'memory', state: 'ok' }]);
    expect(changes).toContain('read_graph');
    expect(states).toContain('ready');
    const created = await crib.call('call_tool', {
      name: 'memory__create_entities',
      arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] },
    });
    expect(created.isError).toBeFalsy();
    const graph = await crib.call('memory__read_graph');
    expect(JSON.stringify(graph.content)).toContain('likes tea');
  });

  it('that cannot start is reported, and hides nothing else', async () => {
    const crib = create({
      mcpServers: { broken: { command: join(folder, 'no-such-program') }, memory: memoryServer() },
      embedding: 'none',
    });
    const reports = await crib.sync();
    expect(reports.map(({ server, state }) => [server, state]).sort()).toEqual([
      ['broken', 'failed'],
      ['memory', 'ok'],
    ]);
    expect(crib.listServers()).toMatchObject([
      { server: 'broken', tools: 0 },
      { server: 'memory', state: 'ready' },
    ]);
    expect((await crib.search('knowledge graph')).notes.map(({ code }) => code)).toContain('servers_failed');
  });

  it('is unknown under another name', async () => {
    const crib = create({ mcpServers: { memory: memoryServer() }, embedding: 'none' });
    await expect(crib.sync(['memoru'])).rejects.toMatchObject({ code: 'server_unknown' });
  });

  it('comes from a config file as well, whose log never shows its secrets', async () => {
    const configPath = join(folder, 'toolcrib.json');
    const secret = 'very-secret-value';
    writeFileSync(
      configPath,
      JSON.stringify({
        embedding: 'none',
        mcpServers: { broken: { command: join(folder, secret), env: { TOKEN: secret } } },
      }),
    );
    const crib = create({ configPath, catalog: join(folder, 'file.sqlite') });
    const log: string[] = [];
    crib.on('log', (entry) => log.push(JSON.stringify(entry)));
    const [report] = await crib.sync();
    expect(report?.state).toBe('failed');
    expect(JSON.stringify([report, crib.listServers(), log])).not.toContain(secret);
    expect(log.length).toBeGreaterThan(0);
  });
});

it('a closed toolcrib says so, and closing twice is harmless', async () => {
  const crib = create();
  await crib.close();
  await crib.close();
  expect(() => crib.tools()).toThrow(expect.objectContaining({ code: 'closed' }));
  expect(() => crib.ingest('a', [])).toThrow(expect.objectContaining({ code: 'closed' }));
});

it('goes on by keywords when the embedding model is switched off, and says so', async () => {
  const crib = create({ embedding: 'none' });
  crib.ingest('notes', tools);
  await crib.settled();
  const { hits, notes } = await crib.search('read a note');
  expect(hits[0]?.tool).toBe('read_note');
  expect(notes.map(({ code }) => code)).not.toContain('vectors_pending');
});

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

it('takes what programs without types pass, or says what is wrong with it', async () => {
  const crib = create({ embedding: 'none' });
  const wrong = (value: unknown) => value as never;
  expect(() => crib.ingest('notes', wrong(null))).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  expect(() => crib.ingest(wrong(undefined), tools)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  crib.ingest('notes', tools);
  expect((await crib.search('note', wrong(null))).hits).toHaveLength(2);
  await expect(crib.search(wrong(5))).rejects.toMatchObject({ code: 'invalid_arguments' });
});
