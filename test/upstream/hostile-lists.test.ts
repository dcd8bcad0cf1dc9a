import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { fixtures, nodeServer, readRecord, temporaryFolder, tool, until, upstreamOf } from './harness.ts';

/** The server of `lists-server.mjs`, with a count of the requests it got. */
async function listsServer(settings: JsonObject) {
  const record = join(await temporaryFolder(), 'record');
  const server = nodeServer('lists', [join(fixtures, 'lists-server.mjs'), JSON.stringify({ record, ...settings })]);
  const count = (method: string) => readRecord(record).filter((entry) => entry.method === method).length;
  return { server, count, starts: () => readRecord(record).filter(({ pid }) => pid !== undefined).length };
}

describe('a list of several pages', () => {
  it.each([
    { name: 'the earliest page', pages: [{ ttlMs: 90_000 }, { ttlMs: 60_000 }, { ttlMs: 120_000 }], ttlMs: 60_000 },
    { name: 'our own age where a page says nothing', pages: [{ ttlMs: 3_600_000 }, {}], ttlMs: 600_000 },
    { name: 'the earliest page before our own age', pages: [{ ttlMs: 60_000 }, { ttlMs: -5 }], ttlMs: 60_000 },
    { name: 'nothing for 0 and less', pages: [{ ttlMs: 0 }, { ttlMs: -1 }], ttlMs: 0 },
    { name: 'nothing at all', pages: [{}, {}], ttlMs: undefined },
  ])('is fresh for as long as $name says', async ({ pages, ttlMs }) => {
    const { server } = await listsServer({ pages: pages.map((page) => ({ tools: 2, ...page })) });
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    expect(catalog.row('lists').lists.at(-1)?.ttlMs).toBe(ttlMs);
  });

  it('is read from the start when a cursor expired midway', async () => {
    const { server, count } = await listsServer({
      pages: [{ tools: 2 }, { tools: 1 }],
      expiredCursors: 2,
      churn: true,
    });
    const { upstream, catalog } = upstreamOf([server]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
    // Nothing of the lists that were broken off.
    expect(catalog.names('lists')).toEqual(['page_0_tool_0', 'page_0_tool_1', 'list_3', 'page_1_tool_0', 'list_3']);
    expect(count('tools/list')).toBe(6);
  });

  it('whose cursors always expire is given up, and the last good one stays', async () => {
    const { server, count } = await listsServer({ pages: [{ tools: 2 }, { tools: 1 }], expiredCursors: 1_000 });
    const { upstream, catalog } = upstreamOf([server]);
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'failed', error: expect.stringContaining('The cursor has expired.') });
    expect(count('tools/list')).toBe(6);
    expect(catalog.row('lists').lists).toEqual([]);
  });
});

describe.each([{ modern: false }, { modern: true }])('notices of change (modern: $modern)', ({ modern }) => {
  it('in a storm lead to few lists, and to one after its end', async () => {
    const { server, count } = await listsServer({ modern, stormMs: 2_500, churn: true });
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    // One a second at most while it lasts: some 250 notices came.
    expect(count('tools/list')).toBeGreaterThan(1);
    expect(count('tools/list')).toBeLessThan(8);
    const last = count('tools/list');
    expect(catalog.names('lists')).toContain(`list_${last}`);
  });

  it.each([{ churn: false }, { churn: true }])(
    'after every list make no loop (lists differ: $churn)',
    async ({ churn }) => {
      const { server, count } = await listsServer({ modern, echo: true, churn });
      const { upstream } = upstreamOf([server]);
      await upstream.sync();
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      expect(count('tools/list')).toBeGreaterThan(2);
      // Without a guard it would be 35 and more.
      expect(count('tools/list')).toBeLessThan(16);
    },
  );
});

describe('a subscription that is confirmed without the notices asked for', () => {
  it('is not tried again, and the list ages', async () => {
    const { server, count } = await listsServer({ modern: true, refuseNotices: true });
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(count('subscriptions/listen')).toBe(1);
    catalog.row('lists').listedAt = Date.now() - 11 * 60_000;
    upstream.refreshInBackground();
    await until(() => count('tools/list') === 2, 'another list');
  });
});

describe('lists that are asked for at the same time', () => {
  it('are one list, and one more for all notices that came meanwhile', async () => {
    const { server, count } = await listsServer({ pages: [{ tools: 1 }, { tools: 1 }] });
    const { upstream } = upstreamOf([server]);
    await upstream.call(tool('lists', 'page_0_tool_0'), {});
    await until(() => count('tools/list') === 2, 'the first list');
    await Promise.all(Array.from({ length: 20 }, () => upstream.sync(['lists'])));
    expect(count('tools/list')).toBe(4);
  });
});
