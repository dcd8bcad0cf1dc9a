import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Upstream } from '../../src/model/index.ts';
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
} from '../upstream/harness.ts';

/** The pid of the one process that runs, after a first call. */
async function started(upstream: Upstream, record: string): Promise<number> {
  await upstream.call(tool('s', 'echo'), {});
  return Number(readRecord(record).at(0)?.pid);
}

function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
}

const pids = (record: string) => readRecord(record).flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
/** Replaced sooner than a server that may only be busy should be. */
const quick = { limits: { signOfLifeMs: 1_000 } };
const limits = { timeoutMs: 500, connectTimeoutMs: 20_000 };

describe.each([
  ['an old one', (record: string) => rawServer('s', { record }, limits)],
  [
    'one of 2026-07-28',
    (record: string) =>
      nodeServer('s', [join(fixtures, 'lists-server.mjs'), JSON.stringify({ modern: true, record })], limits),
  ],
])('a server whose process is stopped, %s', (_kind, server) => {
  it('leaves the call with an unknown outcome, and is replaced for the next', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([server(record)], quick);
    const pid = await started(upstream, record);
    stop(pid);
    await expect(upstream.call(tool('s', 'echo'), {})).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
      details: { mayHaveRun: true },
    });
    // It waits until it is known that the first process hangs, and goes to the second.
    await expect(upstream.call(tool('s', 'echo'), {})).resolves.toHaveProperty('content');
    expect(pids(record)).toHaveLength(2);
    await until(() => !isRunning(pid), 'the stopped process is ended');
  });
});

describe('a server whose process is stopped', () => {
  it('is replaced after a list that ran out of time', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('s', { record }, { connectTimeoutMs: 3_000 })], quick);
    await upstream.sync(['s']);
    const pid = await started(upstream, record);
    stop(pid);
    expect(await upstream.sync(['s'])).toMatchObject([{ state: 'failed', error: expect.stringContaining('in time') }]);
    const sync = async () => (await upstream.sync(['s']))[0]?.state;
    // The time of a list runs while the process is being replaced.
    await expect.poll(sync, { timeout: 30_000 }).toBe('ok');
    expect(pids(record)).toHaveLength(2);
  });

  it('is replaced after a host gave up first', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('s', { record })], quick);
    stop(await started(upstream, record));
    const controller = new AbortController();
    const call = upstream.call(tool('s', 'echo'), {}, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 200));
    passTime(60_000);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect(upstream.call(tool('s', 'echo'), {})).resolves.toHaveProperty('content');
    expect(pids(record)).toHaveLength(2);
  });
});

it('a server that is only slow with one call stays', async () => {
  const record = join(await temporaryFolder(), 'record');
  const { upstream } = upstreamOf([rawServer('s', { record }, limits)], quick);
  await started(upstream, record);
  for (let round = 0; round < 3; round += 1) {
    await expect(upstream.call(tool('s', 'hang'), {})).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
    });
    await expect(upstream.call(tool('s', 'echo'), {})).resolves.toHaveProperty('content');
  }
  expect(pids(record)).toHaveLength(1);
});
