import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, ServerSpec } from '../../src/model/index.ts';
import {
  fixtures,
  isRunning,
  nodeServer,
  passTime,
  rawServer,
  readRecord,
  temporaryFolder,
  tool,
  until,
  upstreamOf,
} from './harness.ts';

async function listsServer(settings: JsonObject, part: Partial<ServerSpec> = {}) {
  const folder = await temporaryFolder();
  const record = join(folder, 'record');
  const all = { record, state: join(folder, 'state'), ...settings };
  const server = nodeServer('lists', [join(fixtures, 'lists-server.mjs'), JSON.stringify(all)], part);
  return { server, pids: () => pidsIn(record), count: (method: string) => countIn(record, method) };
}

function pidsIn(record: string): number[] {
  return readRecord(record).flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
}

function countIn(record: string, method: string): number {
  return readRecord(record).filter((entry) => entry.method === method).length;
}

const call = tool('lists', 'page_0_tool_0');

describe('a server that keeps failing', () => {
  it('is left alone after its third crash, with the reason, and tried again by a probe', async () => {
    const { server, pids } = await listsServer({ crashes: 3, crashAt: 'call' });
    const { upstream } = upstreamOf([server]);
    for (let i = 0; i < 3; i += 1) {
      await expect(upstream.call(call, {})).rejects.toMatchObject({
        code: 'upstream_lost',
        details: { mayHaveRun: true },
      });
    }
    await until(() => upstream.states()[0]?.retryAt !== undefined, 'the circuit to open');
    expect(upstream.states()[0]).toMatchObject({ state: 'failed', reason: 'Server "lists" ended by itself.' });
    const starts = pids().length;
    expect(starts).toBe(3);
    const refused = upstream.call(call, {});
    await expect(refused).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringMatching(/failed 3 times in a row and is left alone for another \d+ s/),
      details: { mayHaveRun: false, reason: expect.stringContaining('exit code 9') },
    });
    // Only people are told what it printed.
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('/secret/path') });
    upstream.refreshInBackground();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pids()).toHaveLength(starts);
    passTime(60_000);
    await expect(upstream.call(call, {})).resolves.toMatchObject({ content: [{ type: 'text' }] });
    expect(pids()).toHaveLength(starts + 1);
    expect(upstream.states()[0]).toEqual({ id: 'lists', state: 'ready' });
  });

  it('is left alone when it cannot be started, but tried when it is asked for by name', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream, catalog } = upstreamOf([rawServer('raw', { record, exitAtStart: 1 })]);
    const attempt = () => upstream.call(tool('raw', 'echo'), {}).catch((error: { message: string }) => error.message);
    await attempt();
    await attempt();
    await attempt();
    const starts = pidsIn(record).length;
    expect(await attempt()).toContain('failed 3 times in a row');
    expect(pidsIn(record)).toHaveLength(starts);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'failed' }]);
    expect(pidsIn(record).length).toBeGreaterThan(starts);
    expect(catalog.row('raw').failures).toHaveLength(1);
  });

  it('does not keep others from being called', async () => {
    const { upstream } = upstreamOf([rawServer('bad', { exitAtStart: 1 }), rawServer('good')]);
    const bad = Array.from({ length: 5 }, () => upstream.call(tool('bad', 'echo'), {}).catch(() => 'failed'));
    await expect(upstream.call(tool('good', 'echo'), {})).resolves.toBeDefined();
    expect(new Set(await Promise.all(bad))).toEqual(new Set(['failed']));
  });
});

describe('what is known of the era', () => {
  it('is doubted when a modern server ends before it did anything: it is started as an old one', async () => {
    const { server, pids } = await listsServer({ modern: true, dieAfterDiscover: true });
    const { upstream, catalog } = upstreamOf([server]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 3 }]);
    expect(catalog.row('lists').era).toMatchObject({ era: 'legacy' });
    expect(pids()).toHaveLength(2);
  });

  it('is asked for in the process that is used from then on', async () => {
    const { server, pids, count } = await listsServer({ modern: true });
    const { upstream } = upstreamOf([server]);
    await upstream.sync();
    expect([pids().length, count('server/discover')]).toEqual([1, 1]);
  });
});

describe('an idle server', () => {
  it('is stopped after its time, stays listed, and is started for the next call', async () => {
    const { server, pids } = await listsServer({}, { idleTimeoutMs: 300 });
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    const [first] = pids();
    await until(() => first !== undefined && !isRunning(first), 'the stop');
    expect(upstream.states()).toEqual([{ id: 'lists', state: 'idle' }]);
    expect(catalog.row('lists').toolCount).toBe(3);
    // It told of changes until it was stopped, so there is nothing to look for yet.
    catalog.row('lists').listedAt = Date.now() - 11 * 60_000;
    upstream.refreshInBackground();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pids()).toHaveLength(1);
    await upstream.call(call, {});
    expect(pids()).toHaveLength(2);
  });

  it('is not stopped during a call', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record }, { idleTimeoutMs: 200 })]);
    const done = upstream.call(tool('raw', 'progress'), { count: 3, everyMs: 300 });
    await expect(done).resolves.toMatchObject({ content: [{ text: 'done' }] });
    const [pid] = pidsIn(record);
    await until(() => pid !== undefined && !isRunning(pid), 'the stop afterwards');
  });

  it('is not stopped while a host waits for its notices', async () => {
    let isNeeded = true;
    const { server, pids } = await listsServer({}, { idleTimeoutMs: 200 });
    const { upstream } = upstreamOf([server], { needsNotices: () => isNeeded });
    await upstream.sync();
    await new Promise((resolve) => setTimeout(resolve, 800));
    const [pid = 0] = pids();
    expect(isRunning(pid)).toBe(true);
    isNeeded = false;
    await until(() => !isRunning(pid), 'the stop');
  });

  it('is never stopped by default, and by a limit for all', async () => {
    const one = await listsServer({});
    const { upstream } = upstreamOf([one.server], { limits: { idleTimeoutMs: 200 } });
    await upstream.sync();
    await until(() => upstream.states()[0]?.state === 'idle', 'the stop');
    const other = await listsServer({});
    const second = upstreamOf([other.server]);
    await second.upstream.sync();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(second.upstream.states()[0]?.state).toBe('ready');
  });
});

describe('a server that ends by itself', () => {
  it.each([true, false])(
    'is started again while a host waits for its notices, and else when needed (%s)',
    async (waits) => {
      const { server, pids, count } = await listsServer({});
      const { upstream } = upstreamOf([server], { needsNotices: () => waits });
      await upstream.sync();
      const [first = 0] = pids();
      process.kill(first, 'SIGKILL');
      if (waits) {
        await until(() => pids().length === 2 && count('tools/list') === 2, 'the restart with a list');
        await until(() => upstream.states()[0]?.state === 'ready', 'the server to be ready');
        return;
      }
      await until(() => upstream.states()[0]?.state === 'failed', 'the end to be noticed');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(pids()).toHaveLength(1);
    },
  );
});

describe('processes', () => {
  it('of one server are never two at a time', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record, stubborn: true }, { idleTimeoutMs: 200 })]);
    await upstream.sync();
    const [first = 0] = pidsIn(record);
    await until(() => upstream.states()[0]?.state === 'idle', 'the stop to begin');
    expect(isRunning(first)).toBe(true);
    const next = upstream.call(tool('raw', 'pid'), {});
    await until(() => pidsIn(record).length === 2, 'the next process');
    expect(isRunning(first)).toBe(false);
    await expect(next).resolves.toMatchObject({ content: [{ text: String(pidsIn(record)[1]) }] });
  });

  it('of two toolcribs over one catalog do not disturb each other', async () => {
    const record = join(await temporaryFolder(), 'record');
    const one = upstreamOf([rawServer('raw', { record })]);
    const two = upstreamOf([rawServer('raw', { record })], { catalog: one.catalog });
    await Promise.all([one.upstream.sync(), two.upstream.sync()]);
    expect(pidsIn(record)).toHaveLength(2);
    await one.upstream.close();
    await expect(two.upstream.call(tool('raw', 'echo'), {})).resolves.toBeDefined();
    expect(pidsIn(record)).toHaveLength(2);
  });

  it('are all ended side by side, however stubborn', async () => {
    const record = join(await temporaryFolder(), 'record');
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { upstream } = upstreamOf(ids.map((id) => rawServer(id, { record, stubborn: true })));
    await upstream.sync();
    const closedAt = Date.now();
    await upstream.close();
    // 3 s for one; one after the other it would be 18.
    expect(Date.now() - closedAt).toBeLessThan(9_000);
    expect(pidsIn(record).filter(isRunning)).toEqual([]);
  });
});
