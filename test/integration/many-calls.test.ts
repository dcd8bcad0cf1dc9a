import { getEventListeners, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import { fixtureServer, type StartedServer, startFixture } from '../fixtures/servers/start.ts';
import { isRunning, readRecord, temporaryFolder, until } from '../upstream/harness.ts';

let http: StartedServer;
beforeAll(async () => {
  http = await startFixture('conformance-server.mjs', 'http');
});
afterAll(() => http.stop());

const callsEach = 20;
const pipes = ['a', 'b', 'c', 'd', 'e', 'f'];
const overHttp = ['g', 'h'];

it('200 calls to 10 servers, of which one hangs and one crashes: all others answer, and nothing stays behind', async () => {
  const folder = await temporaryFolder();
  const record = (id: string) => join(folder, id);
  const raw = (id: string) => ({
    command: process.execPath,
    args: [fixtureServer('raw-server.mjs'), JSON.stringify({ record: record(id) })],
  });
  const before = footprint();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  const crib = createToolcrib({
    mode: 'discovery',
    embedding: 'none',
    mcpServers: {
      ...Object.fromEntries([...pipes, 'hanging', 'crashing'].map((id) => [id, raw(id)])),
      ...Object.fromEntries(overHttp.map((id) => [id, { url: http.url }])),
    },
  });
  const reports = await crib.sync();
  expect(reports.map(({ state }) => state)).toEqual(Array(10).fill('ok'));

  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal);
  const call = (name: string, args: object = {}) => crib.call(name, args, { signal });
  const hanging = repeat(() => call('hanging__hang'));
  // Last, so that all the others are sent: what was certainly not read is called again, and would hang.
  const crashing = repeat((index) => call(index === callsEach - 1 ? 'crashing__crash' : 'crashing__hang'));
  const texts = pipes.map((id) => repeat((index) => call(`${id}__echo`, { text: `${id} ${index}` })));
  const data = overHttp.map((id) => repeat(() => call(`${id}__structured`)));

  for (const [place, answers] of texts.entries()) {
    for (const [index, { content, isError }] of (await Promise.all(answers)).entries()) {
      expect(isError).not.toBe(true);
      expect(content).toEqual([{ type: 'text', text: JSON.stringify({ text: `${pipes[place]} ${index}` }) }]);
    }
  }
  for (const answers of data) {
    for (const { structuredContent } of await Promise.all(answers)) {
      expect(structuredContent).toEqual({ items: [1, null] });
    }
  }
  for (const { isError, _meta } of await Promise.all(crashing)) {
    expect(isError).toBe(true);
    expect(_meta).toMatchObject({ 'dev.toolcrib/error': { server: 'crashing', reason: 'upstream_lost' } });
  }

  // The hanging calls hold up nobody, and end when they are no longer wanted.
  expect(await Promise.race([...hanging, Promise.resolve('none answered')])).toBe('none answered');
  controller.abort();
  for (const { isError, _meta } of await Promise.all(hanging)) {
    expect(isError).toBe(true);
    expect(_meta).toMatchObject({ 'dev.toolcrib/error': { server: 'hanging', code: 'cancelled' } });
  }
  const cancelled = () => readRecord(record('hanging')).filter(({ method }) => method === 'notifications/cancelled');
  await until(() => cancelled().length === callsEach, 'every cancellation reaches the server');
  expect(getEventListeners(signal, 'abort')).toEqual([]);

  // It answers as before, and the one that crashed is started again.
  for (const id of ['hanging', 'crashing']) {
    expect(await crib.call(`${id}__echo`, { text: 'again' })).toMatchObject({
      content: [{ text: '{"text":"again"}' }],
    });
  }

  await crib.close();
  process.off('warning', onWarning);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
  const pids = [...pipes, 'hanging', 'crashing'].flatMap((id) => pidsIn(record(id)));
  expect(pids).toHaveLength(9);
  expect(pids.filter(isRunning)).toEqual([]);
  await until(() => isNoMore(footprint(), before), `handles and listeners as before: ${JSON.stringify(before)}`).catch(
    () => expect(footprint()).toEqual(before),
  );
});

function repeat<T>(call: (index: number) => T): T[] {
  return Array.from({ length: callsEach }, (_, index) => call(index));
}

function pidsIn(file: string): number[] {
  return readRecord(file).flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
}

/** What this process holds: open handles by kind, and listeners on itself. */
function footprint(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  for (const event of process.eventNames()) counts[`on ${String(event)}`] = process.listenerCount(event);
  return counts;
}

function isNoMore(now: Record<string, number>, before: Record<string, number>): boolean {
  return Object.entries(now).every(([what, count]) => what === 'Immediate' || count <= (before[what] ?? 0));
}
