import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IngestReport, JsonObject, ServerState } from '../../src/model/index.ts';
import { rawServer, readRecord, temporaryFolder, tool, until, upstreamOf } from './harness.ts';

const object = { type: 'object' };

describe('sync', () => {
  it('lists every server, connected or not, and reports each', async () => {
    const servers = [rawServer('a'), rawServer('b', {}, { position: 1 })];
    const disabled = [{ id: 'c', position: 2, problem: 'broken' }];
    const { upstream, catalog } = upstreamOf(servers, { disabled });
    const seen: string[] = [];
    const first = await upstream.sync(undefined, ({ server }) => void seen.push(server));
    expect(first).toMatchObject([
      { server: 'a', state: 'ok', tools: 10, added: 10, changed: 0, removed: 0 },
      { server: 'b', state: 'ok', tools: 10 },
      { server: 'c', state: 'disabled', error: 'broken' },
    ]);
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
    const again = await upstream.sync(['a']);
    expect(again).toMatchObject([{ server: 'a', state: 'ok', tools: 10, added: 0 }]);
    expect(catalog.row('a').lists.map(({ trigger }) => trigger)).toEqual(['sync', 'sync']);
    expect(catalog.row('a').lists[0]?.fingerprint).toBe('print-a');
  });

  it('names the nearest servers for an unknown one', async () => {
    const { upstream } = upstreamOf([rawServer('github'), rawServer('gitlab')]);
    await expect(upstream.sync(['githib'])).rejects.toMatchObject({
      code: 'server_unknown',
      message: expect.stringContaining('github'),
    });
  });

  it('gives the catalog the tools exactly as sent, malformed ones included', async () => {
    const tools = [
      { name: 'good', inputSchema: object, 'x-own': { deep: [1] }, annotations: { readOnlyHint: 'yes', other: 1 } },
      { name: 'no_type', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
      { name: 'null_schema', inputSchema: null },
      { name: 'no_schema' },
      { name: 'true_schema', inputSchema: true },
      { name: 'array_type', inputSchema: { type: ['object', 'null'] } },
      { name: 'bad_output', inputSchema: object, outputSchema: { type: 'array' } },
      { name: 'null_description', description: null, inputSchema: object },
      { description: 'no name', inputSchema: object },
      { name: 'twice', inputSchema: object },
      { name: 'twice', inputSchema: object },
      'not even an object',
      null,
    ];
    const { upstream, catalog } = upstreamOf([rawServer('raw', { tools })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
    expect(catalog.row('raw').raw).toEqual(tools);
  });

  it('skips what is no message on stdout and logs the first lines of it', async () => {
    const noise = ['Server starting…', '', '{"level":"info"}', '[1,2]', '"text"', '{broken'];
    const { upstream, catalog, logger } = upstreamOf([rawServer('raw', { noise, crlf: true })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 10 }]);
    expect(catalog.names('raw')).toContain('echo');
    const logged = logger.lines.filter(({ message }) => message.includes('no MCP message'));
    expect(logged.map(({ fields }) => fields.line)).toEqual(['Server starting…', '{"level":"info"}', '[1,2]']);
  });

  it.each([
    { name: 'pages of 7', settings: { toolCount: 60, pageSize: 7 }, tools: 60 },
    { name: 'an empty cursor', settings: { cursors: 'empty' }, tools: 10 },
    { name: '10,000 tools in 100 pages', settings: { toolCount: 10_000, pageSize: 100 }, tools: 10_000 },
  ])('reads $name', async ({ settings, tools }) => {
    const { upstream, catalog } = upstreamOf([rawServer('raw', settings)]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools }]);
    expect(new Set(catalog.names('raw')).size).toBe(tools);
  });

  it.each([[7], [true], [{ after: 3 }], [['a']]])('takes a list with the cursor %j as broken', async (nextCursor) => {
    const { upstream, catalog } = upstreamOf([rawServer('raw', { listExtra: { nextCursor } })]);
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'failed', error: expect.stringContaining('cursor') });
    expect(catalog.row('raw').lists).toHaveLength(0);
  });

  it('takes a cursor of null as the end', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { listExtra: { nextCursor: null } })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
  });

  it.each([
    { cursors: 'repeat', why: 'came twice' },
    { cursors: 'endless', why: 'more than 20 pages' },
  ])('gives up on a list that does not end ($cursors)', async ({ cursors, why }) => {
    const { upstream, catalog } = upstreamOf([rawServer('raw', { cursors })], { limits: { listMaxPages: 20 } });
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'failed', error: expect.stringContaining(why) });
    expect(catalog.row('raw').failures).toHaveLength(1);
    expect(catalog.row('raw').lists).toHaveLength(0);
  });

  it('keeps the freshness that a server gives', async () => {
    const { upstream, catalog } = upstreamOf([
      rawServer('raw', { listExtra: { ttlMs: 90_000, cacheScope: 'public' } }),
    ]);
    await upstream.sync();
    expect(catalog.row('raw').lists[0]?.ttlMs).toBe(90_000);
  });

  it('takes a server without tools as one with an empty list', async () => {
    const { upstream, catalog } = upstreamOf([rawServer('raw', { withoutTools: true })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 0 }]);
    expect(catalog.row('raw').lists).toMatchObject([{ trigger: 'list_changed' }]);
  });

  it('keeps the last good list when a later one fails', async () => {
    const server = rawServer('raw');
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    await upstream.call(tool('raw', 'crash'), {}).catch(() => {});
    server.transport = { kind: 'stdio', command: '/no/such', args: [], env: {} };
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'failed', tools: 10 }]);
    expect(catalog.row('raw').stale).toBe(true);
    expect(catalog.names('raw')).toContain('echo');
  });

  it('lets no server wait for another', async () => {
    const silent = (i: number) => rawServer(`dead${i}`, { silent: true }, { connectTimeoutMs: 9_000 });
    const servers = [...Array.from({ length: 4 }, (_, i) => silent(i)), rawServer('alive', {}, { position: 99 })];
    const { upstream } = upstreamOf(servers, { limits: { parallelStarts: 2 } });
    const order: string[] = [];
    const reports = await upstream.sync(undefined, ({ server }) => void order.push(server));
    expect(reports.filter(({ state }) => state === 'failed')).toHaveLength(4);
    expect(reports[0]?.error).toContain('did not start up in time');
    // Each dead one gives up its place long before its time is over.
    expect(order[0]).toBe('alive');
  });

  it('reports the exit of a server that cannot start, with what it printed and without secrets', async () => {
    const settings = { exitAtStart: 7, stderr: 'bad token s3cr3t-token-value' };
    const { upstream } = upstreamOf([rawServer('raw', settings, { env: { TOKEN: 's3cr3t-token-value' } })]);
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'failed' });
    expect(report?.error).toContain('exit code 7');
    expect(report?.error).toContain('bad token ***');
    expect(upstream.states()[0]?.error).not.toContain('s3cr3t');
  });

  it('runs one process and one list for many who ask at the same time', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record })]);
    await Promise.all([upstream.sync(), upstream.sync(), upstream.call(tool('raw', 'echo'), {}), upstream.sync()]);
    expect(readRecord(record).filter(({ pid }) => pid !== undefined)).toHaveLength(1);
    expect(readRecord(record).filter(({ method }) => method === 'tools/list')).toHaveLength(1);
  });
});

describe('era', () => {
  const probes = (record: string) => readRecord(record).filter(({ method }) => method === 'server/discover').length;

  it('asks an old server once, and uses the verdict for a week', async () => {
    const record = join(await temporaryFolder(), 'record');
    const first = upstreamOf([rawServer('raw', { record })]);
    await first.upstream.sync();
    expect(first.catalog.row('raw').verdicts).toMatchObject([{ era: 'legacy', protocolVersion: '2025-11-25' }]);
    await first.upstream.close();
    const second = upstreamOf([rawServer('raw', { record })], { catalog: first.catalog });
    await second.upstream.sync();
    await second.upstream.close();
    expect(probes(record)).toBe(1);
    expect(first.catalog.row('raw').verdicts).toHaveLength(1);
    (first.catalog.row('raw').era as { decidedAt: number }).decidedAt -= 8 * 24 * 3_600_000;
    await upstreamOf([rawServer('raw', { record })], { catalog: first.catalog }).upstream.sync();
    expect(probes(record)).toBe(2);
    expect(first.catalog.row('raw').verdicts).toHaveLength(2);
  });

  it('starts a server anew that ends when it is asked for its revision', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream, catalog } = upstreamOf([rawServer('raw', { record, exitOnProbe: true })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 10 }]);
    expect(readRecord(record).filter(({ pid }) => pid !== undefined)).toHaveLength(2);
    expect(catalog.row('raw').era).toMatchObject({ era: 'legacy' });
  });

  it('takes a server that ignores the question as an old one, within its time', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { ignoreUnknown: true }, { connectTimeoutMs: 3_000 })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 10 }]);
  });
});

describe('changes', () => {
  it('finds a tool that is added at run time', async () => {
    const { upstream, catalog } = upstreamOf([rawServer('raw')]);
    const reports: IngestReport[] = [];
    upstream.on('toolsChanged', (report) => void reports.push(report));
    await upstream.sync();
    await upstream.call(tool('raw', 'add_tool'), { name: 'late' });
    const report = await until(() => reports.find(({ added }) => added.includes('late')), 'the new tool');
    expect(report).toMatchObject({ added: ['late'], unchanged: 10 });
    expect(catalog.row('raw').lists.at(-1)?.trigger).toBe('list_changed');
  });

  it('believes an empty list after a notice, and doubts one that comes out of nothing', async () => {
    const { upstream, catalog } = upstreamOf([rawServer('a'), rawServer('b', { listChanged: false })]);
    await upstream.sync();
    await upstream.call(tool('a', 'remove_tools'), {});
    await until(() => catalog.row('a').toolCount === 0, 'the removal');
    await upstream.call(tool('b', 'remove_tools'), {});
    await expect(upstream.sync(['b'])).resolves.toMatchObject([{ state: 'ok', tools: 10, removed: 0 }]);
    // It is asked again a moment later.
    await until(() => catalog.row('b').lists.length >= 3, 'another list');
  });

  it('answers a server that sends a notice after each list more and more rarely', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record, echoChanges: true })]);
    await upstream.sync();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const lists = readRecord(record).filter(({ method }) => method === 'tools/list').length;
    expect(lists).toBeGreaterThan(2);
    // 100, 100, 200, 400, 800 ms … apart; without the guard it would be some 30.
    expect(lists).toBeLessThan(9);
  });

  it('lists again when a tool turns out to be unknown', async () => {
    const { upstream, catalog } = upstreamOf([rawServer('raw')]);
    await upstream.sync();
    const call = upstream.call(tool('raw', 'gone'), {});
    await expect(call).rejects.toMatchObject({ code: 'upstream_error', details: { rpcCode: -32602 } });
    await until(() => catalog.row('raw').lists.length === 2, 'another list');
  });
});

describe('refreshInBackground', () => {
  it('lists what is missing, leaves fresh lists alone, and does not wait', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream, catalog } = upstreamOf([rawServer('raw', { record })]);
    expect(upstream.refreshInBackground()).toBeUndefined();
    await until(() => catalog.row('raw').toolCount === 10, 'the first list');
    expect(catalog.row('raw').lists[0]?.trigger).toBe('first');
    for (let i = 0; i < 50; i += 1) upstream.refreshInBackground();
    await upstream.call(tool('raw', 'echo'), {});
    expect(catalog.row('raw').lists).toHaveLength(1);
  });

  it('starts nothing for a fresh list on disk, and lists an aged one', async () => {
    const record = join(await temporaryFolder(), 'record');
    const first = upstreamOf([rawServer('raw')]);
    await first.upstream.sync();
    await first.upstream.close();
    const { catalog } = first;
    const second = upstreamOf([rawServer('raw', { record })], { catalog });
    second.upstream.refreshInBackground();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readRecord(record)).toEqual([]);
    catalog.row('raw').listedAt = Date.now() - 11 * 60_000;
    const third = upstreamOf([rawServer('raw', { record })], { catalog });
    third.upstream.refreshInBackground();
    await until(() => catalog.row('raw').lists.length === 2, 'another list');
    expect(catalog.row('raw').lists[1]?.trigger).toBe('expired');
  });

  it('leaves a failed server alone for a while, though not when it is asked for', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream, catalog } = upstreamOf([rawServer('raw', { record, exitAtStart: 1 })]);
    upstream.refreshInBackground();
    await until(() => catalog.row('raw').failures.length === 1, 'the failure');
    const starts = () => readRecord(record).length;
    const before = starts();
    for (let i = 0; i < 20; i += 1) upstream.refreshInBackground();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(starts()).toBe(before);
    await upstream.sync();
    expect(starts()).toBeGreaterThan(before);
  });
});

describe('states', () => {
  it('tells of each step', async () => {
    const { upstream } = upstreamOf([rawServer('raw')], { disabled: [{ id: 'off', position: 1 }] });
    const seen: ServerState[] = [];
    upstream.on('serverState', (state) => void seen.push(state));
    expect(upstream.states()).toEqual([
      { id: 'raw', state: 'idle' },
      { id: 'off', state: 'disabled' },
    ]);
    await upstream.sync();
    await upstream.call(tool('raw', 'crash'), {}).catch(() => {});
    await until(() => upstream.states()[0]?.state === 'failed', 'the end to be noticed');
    await upstream.call(tool('raw', 'echo'), {});
    await upstream.close();
    expect(seen.map(({ state }) => state)).toEqual(['connecting', 'ready', 'failed', 'connecting', 'ready', 'idle']);
  });

  it('stops telling a listener that left', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const seen: ServerState[] = [];
    upstream.on('serverState', (state) => void seen.push(state))();
    await upstream.sync();
    expect(seen).toEqual([]);
  });
});

describe('close', () => {
  it('ends calls and lists under way, and refuses what comes later', async () => {
    const { upstream } = upstreamOf([rawServer('raw'), rawServer('slow', { startDelayMs: 60_000 })]);
    await upstream.call(tool('raw', 'echo'), {});
    const hanging = upstream.call(tool('raw', 'hang'), {}).catch((error: JsonObject) => error);
    const starting = upstream.call(tool('slow', 'echo'), {}).catch((error: JsonObject) => error);
    const syncing = upstream.sync(['slow']);
    await Promise.all([upstream.close(), upstream.close()]);
    expect(await hanging).toMatchObject({ code: 'closed', details: { mayHaveRun: true } });
    expect(await starting).toMatchObject({ code: 'closed', details: { mayHaveRun: false } });
    expect(await syncing).toMatchObject([{ state: 'failed' }]);
    await expect(upstream.call(tool('raw', 'echo'), {})).rejects.toMatchObject({ code: 'closed' });
    await expect(upstream.sync()).rejects.toMatchObject({ code: 'closed' });
    upstream.refreshInBackground();
    await upstream.close();
  });
});
