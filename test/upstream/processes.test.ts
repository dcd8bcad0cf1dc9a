import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerSpec } from '../../src/model/index.ts';
import { fixtures, isRunning, rawServer, readRecord, temporaryFolder, tool, until, upstreamOf } from './harness.ts';

/** All of a shutdown: end of input, SIGTERM, SIGKILL. */
const shutdownLimitMs = 5_000;
/** What is promised for a toolcrib that was killed. */
const watchdogLimitMs = 5_000;

/** The processes that a server of the record has started, itself included. */
function pidsIn(record: string): number[] {
  return readRecord(record).flatMap(({ pid, grandchild }) => [pid, grandchild].filter((id) => typeof id === 'number'));
}

const allGone = (pids: readonly number[]) => pids.every((pid) => !isRunning(pid));

describe('close', () => {
  it.each([
    { name: 'an orderly child', settings: {} },
    { name: 'a child that ignores end of input and SIGTERM', settings: { stubborn: true } },
    { name: 'a child whose own child ignores everything', settings: { grandchild: true } },
    { name: 'both at once', settings: { stubborn: true, grandchild: true } },
  ])('leaves nothing of $name', async ({ settings }) => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { ...settings, record })]);
    await upstream.sync();
    const pids = pidsIn(record);
    expect(pids).toHaveLength('grandchild' in settings ? 2 : 1);
    expect(pids.every(isRunning)).toBe(true);
    const startedAt = Date.now();
    await upstream.close();
    expect(Date.now() - startedAt).toBeLessThan(shutdownLimitMs);
    await until(() => allGone(pids), `the end of ${pids}`);
  });

  it('leaves nothing of a server that is still starting', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record, silent: true, grandchild: true })]);
    upstream.refreshInBackground();
    const pids = await until(() => pidsIn(record).length === 2 && pidsIn(record), 'the start');
    await upstream.close();
    await until(() => allGone(pids), `the end of ${pids}`);
  });

  it('ends the grandchild of a server that crashes', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record, grandchild: true })]);
    await upstream.sync();
    const pids = pidsIn(record);
    await upstream.call(tool('raw', 'crash'), {}).catch(() => {});
    await until(() => allGone(pids), `the end of ${pids}`);
  });

  it('ends the watchdog as well', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    await upstream.sync();
    const dogs = childrenOf(process.pid).filter((pid) => commandOf(pid).includes('watchdog'));
    expect(dogs).toHaveLength(1);
    await upstream.close();
    expect(allGone(dogs)).toBe(true);
  });
});

describe('watchdog', () => {
  it('ends every child and grandchild after a SIGKILL', async () => {
    const folder = await temporaryFolder();
    const record = (name: string) => join(folder, name);
    const servers = [
      rawServer('orderly', { record: record('orderly') }),
      rawServer('stubborn', { record: record('stubborn'), stubborn: true }, { position: 1 }),
      rawServer('family', { record: record('family'), stubborn: true, grandchild: true }, { position: 2 }),
    ];
    const host = await startHost(servers);
    const pids = servers.flatMap(({ id }) => pidsIn(record(id)));
    const dogs = childrenOf(host.pid as number).filter((pid) => commandOf(pid).includes('watchdog'));
    expect(pids).toHaveLength(4);
    expect(dogs).toHaveLength(1);
    expect([...pids, ...dogs].every(isRunning)).toBe(true);
    host.kill('SIGKILL');
    await until(() => allGone([...pids, ...dogs]), `the end of ${pids} and ${dogs}`, watchdogLimitMs);
  });

  it('is started again when it was killed, and still ends every child', async () => {
    const record = join(await temporaryFolder(), 'record');
    const host = await startHost([rawServer('raw', { record, stubborn: true })]);
    const dogs = () => childrenOf(host.pid as number).filter((pid) => commandOf(pid).includes('watchdog'));
    const [pid = 0] = pidsIn(record);
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    const [first = 0] = dogs();
    process.kill(first, 'SIGKILL');
    const [second = 0] = await until(() => {
      const living = dogs().filter((dog) => dog !== first && isRunning(dog));
      return living.length > 0 && living;
    }, 'another watchdog');
    // It is seen a moment before it has been told of the groups.
    await delay(500);
    host.kill('SIGKILL');
    await until(() => allGone([pid, second]), `the end of ${pid} and ${second}`, watchdogLimitMs);
  });

  it('survives the signals that a terminal sends to all', async () => {
    const record = join(await temporaryFolder(), 'record');
    const host = await startHost([rawServer('raw', { record, stubborn: true })], { detached: true });
    const [pid = 0] = pidsIn(record);
    process.kill(-(host.pid as number), 'SIGINT');
    await until(() => !isRunning(pid), 'the end of the stubborn child', watchdogLimitMs);
  });
});

/** Runs `host.ts` until it has connected all servers. */
async function startHost(servers: ServerSpec[], options: { detached?: boolean } = {}): Promise<ChildProcess> {
  const host = spawn(process.execPath, ['--import', 'tsx', join(fixtures, 'host.ts'), JSON.stringify(servers)], {
    cwd: resolve(fixtures, '../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  const [line] = await once(host.stdout as NodeJS.EventEmitter, 'data');
  const states = (JSON.parse(String(line)) as { state: string }[]).map(({ state }) => state);
  expect(states).toEqual(servers.map(() => 'ok'));
  return host;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => readStat(pid)?.split(') ').at(-1)?.split(' ')[1] === String(parent));
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
