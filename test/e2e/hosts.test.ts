import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import { replayServersOverHttp, smallRecording } from '../fixtures/replay/index.ts';
import { rawServer, readRecord, Workspace } from './program.ts';

const kinds = ['stdio', 'http'] as const;
const cases = kinds.flatMap((kind) => generations.map((generation) => [kind, generation] as const));

/** Long enough for a list notice to come, be debounced, listed and ingested on a busy machine. */
const pollOptions = { timeout: 15_000, interval: 100 };

const replay = await replayServersOverHttp({ file: smallRecording });
afterAll(() => replay.close());

describe.each(cases)('a host over %s, %s', (kind, generation) => {
  let workspace: Workspace;
  let host: Host;
  let record: string;

  beforeAll(async () => {
    workspace = await Workspace.create({});
    record = workspace.path('record.jsonl');
    const mcpServers = { ...replay.mcpServers, raw: rawServer({ record }) };
    await workspace.writeConfig({ mode: 'discovery', mcpServers });
    ({ host } = await workspace.serve(kind, generation));
  });
  afterAll(() => workspace.remove());

  const search = async (query: string, more = {}) => textOf(await host.call('search_tools', { query, ...more }));
  const call = (name: string, args: object = {}) => host.call('call_tool', { name, arguments: args });

  it('sees the three meta-tools', async () => {
    const names = (await host.listTools()).map(({ name }) => name);
    expect(names.sort()).toEqual(['call_tool', 'describe_tool', 'search_tools']);
    expect(host.era).toBe(generation === 'v2 modern' ? 'modern' : 'legacy');
    expect(host.listChanged).toBe(false);
  });

  it('finds a tool by what it does', async () => {
    await expect
      .poll(() => search('reserve a place for a ship in the harbor'), pollOptions)
      .toContain('harbor__book_berth');
    const result = await host.call('search_tools', { query: 'reserve a place for a ship in the harbor' });
    expect(result.structuredContent).toBeUndefined();
    expect(result.isError ?? false).toBe(false);
  });

  it('finds a tool in Chinese', async () => {
    await expect.poll(() => search('续借图书'), pollOptions).toContain('tushuguan__renew_loan');
  });

  it('has a tool described', async () => {
    const text = textOf(await host.call('describe_tool', { name: 'harbor__book_berth' }));
    for (const word of ['harbor', 'ship_id', 'berth', 'arrival', 'departure', 'shore_power'])
      expect(text).toContain(word);
  });

  it('calls a tool', async () => {
    const result = await call('harbor__tide_table', { day: '2026-03-01' });
    expect(JSON.parse(textOf(result))).toEqual({ name: 'tide_table', arguments: { day: '2026-03-01' } });
  });

  it('calls tools whose names had to be altered by the name that search gives', async () => {
    const text = await search('start the lathe', { server: 'workshop' });
    const name = /workshop__lathe_spin_up[\w-]*/.exec(text)?.[0] ?? '';
    expect(JSON.parse(textOf(await call(name, { rpm: 100 })))).toEqual({
      name: 'lathe.spin up!',
      arguments: { rpm: 100 },
    });
  });

  it('is told what is wrong with an argument, and the server is not', async () => {
    const before = (await readRecord(record)).length;
    const result = await call('harbor__tide_table', { date: '2026-03-01' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/day/);
    expect((await readRecord(record)).length).toBe(before);
  });

  it('is told the nearest name of a tool that is not there', async () => {
    const result = await call('harbor__tide_tabel');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('harbor__tide_table');
  });

  it('gets a protocol error for a tool that is not listed', async () => {
    await expect(host.call('harbor__tide_table', { day: '2026-03-01' })).rejects.toMatchObject({ code: -32602 });
  });

  it('receives every kind of content', async () => {
    const content = [
      { type: 'text', text: 'plain' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
    ];
    const raw = { content, structuredContent: { a: [1] }, _meta: { 'example.org/k': 1 } };
    const result = await call('raw__result', { raw });
    expect(result.content).toEqual(content);
    expect(result.structuredContent).toEqual({ a: [1] });
    expect(result._meta).toMatchObject({ 'example.org/k': 1 });
    expect((await call('raw__result', { raw: { ...raw, isError: true } })).isError).toBe(true);
  });

  it('sees the progress of a call', async () => {
    const ticks: number[] = [];
    const args = { name: 'raw__progress', arguments: { count: 3, everyMs: 100 } };
    const result = await host.call('call_tool', args, { onprogress: ({ progress }) => ticks.push(progress) });
    expect(textOf(result)).toBe('done');
    expect(ticks).toEqual([1, 2, 3]);
  });

  it('cancels a call down to the server', async () => {
    const abort = new AbortController();
    const running = host.call('call_tool', { name: 'raw__hang', arguments: {} }, { signal: abort.signal });
    const settled = running.catch((error: unknown) => error);
    await expect.poll(() => received(record, 'hang'), pollOptions).toBe(1);
    abort.abort('enough');
    expect(await settled).toBeInstanceOf(Error);
    const cancels = async () => (await readRecord(record)).filter((e) => e.method === 'notifications/cancelled').length;
    await expect.poll(cancels, pollOptions).toBe(1);
  });

  it('finds a tool that a server adds at run time', async () => {
    expect(await search('raw__polish_teapot')).not.toMatch(/raw__polish_teapot\(/);
    await call('raw__add_tool', { name: 'polish_teapot' });
    await expect.poll(() => search('polish teapot'), pollOptions).toContain('raw__polish_teapot');
    const names = (await host.listTools()).map(({ name }) => name);
    expect(names).toHaveLength(3);
  });

  it('learns that a call may have happened when its server is killed, and the next call starts it again', async () => {
    const pid = Number(textOf(await call('raw__pid')));
    const before = await received(record, 'hang');
    const running = call('raw__hang');
    await expect.poll(() => received(record, 'hang'), pollOptions).toBe(before + 1);
    process.kill(pid, 'SIGKILL');
    const result = await running;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/raw/);
    expect(textOf(result)).toMatch(/may (already )?have|took effect|has run/i);
    const restarted = Number(textOf(await call('raw__pid')));
    expect(restarted).toBeGreaterThan(0);
    expect(restarted).not.toBe(pid);
  });
});

async function received(record: string, tool: string): Promise<number> {
  const entries = await readRecord(record);
  return entries.filter(({ method, params }) => method === 'tools/call' && (params as { name: string }).name === tool)
    .length;
}

describe.each(cases)('a host in direct mode over %s, %s', (kind, generation) => {
  let workspace: Workspace;
  afterAll(() => workspace.remove());

  it('sees every tool, hears of a new one, and calls it by its name', async () => {
    workspace = await Workspace.create({ mode: 'direct', mcpServers: { raw: rawServer() } });
    await workspace.json('sync');
    const { host } = await workspace.serve(kind, generation);
    const names = async () => (await host.listTools()).map(({ name }) => name);
    expect(await names()).toContain('raw__echo');
    expect(host.listChanged).toBe(true);
    let heard = 0;
    await host.onListChanged(() => {
      heard += 1;
    });
    expect(textOf(await host.call('raw__echo', { text: 'hi' }))).toBe('{"text":"hi"}');
    await host.call('raw__add_tool', { name: 'extra' });
    await expect.poll(names, pollOptions).toContain('raw__extra');
    // The stream of notices may have opened after the change; another change is then heard.
    await expect
      .poll(async () => {
        if (heard === 0) await host.call('raw__add_tool', { name: `extra_${Date.now()}` });
        return heard;
      }, pollOptions)
      .toBeGreaterThan(0);
  });
});
