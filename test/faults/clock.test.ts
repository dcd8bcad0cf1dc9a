import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallApprovalTable } from '../../src/catalog/call-approvals.ts';
import { openDatabase } from '../../src/catalog/database.ts';
import { ToolcribError } from '../../src/errors/index.ts';
import { steadyNow } from '../../src/model/index.ts';
import { StateSeal, sealedMaxMs } from '../../src/router/state-seal.ts';
import { Backoff } from '../../src/upstream/backoff.ts';
import { Circuit } from '../../src/upstream/circuit.ts';
import { dueAt } from '../../src/upstream/freshness.ts';
import { open } from '../catalog/harness.ts';
import { passTime, rawServer, readRecord, temporaryFolder, tool, until, upstreamOf } from '../upstream/harness.ts';

const hourMs = 3_600_000;

/** Sets the clock of the system, as this process sees it, until the test ends. */
function setClock(byMs: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
  onTestFinished(() => void vi.restoreAllMocks());
}

const jumps = [
  ['back by an hour', -hourMs],
  ['ahead by an hour', hourMs],
] as const;

describe.each(jumps)('a clock that is set %s', (_which, byMs) => {
  it('changes no wait of this process', () => {
    const before = steadyNow();
    const circuit = new Circuit('s', () => 0);
    const failure = new ToolcribError('upstream_unavailable', 'away');
    for (let failed = 0; failed < 3; failed += 1) circuit.startFailed(failure);
    const backoff = new Backoff(() => 0);
    backoff.failed();
    setClock(byMs);
    expect(steadyNow() - before).toBeLessThan(60_000);
    expect(steadyNow()).toBeGreaterThanOrEqual(before);
    const leftMs = (circuit.outage()?.retryAt ?? 0) - steadyNow();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(10_000);
    expect(backoff.nextAt - steadyNow()).toBeLessThanOrEqual(30_000);
    passTime(11_000);
    expect(circuit.outage()).toBeUndefined();
  });

  it('neither ends a call early nor keeps it for ever', async () => {
    const { upstream } = upstreamOf([rawServer('s', {}, { timeoutMs: 3_000 })]);
    await upstream.call(tool('s', 'echo'), {});
    const slow = upstream.call(tool('s', 'progress'), { count: 3, everyMs: 100 });
    const hanging = upstream.call(tool('s', 'hang'), {});
    setClock(byMs);
    await expect(slow).resolves.toHaveProperty('content');
    await expect(hanging).rejects.toMatchObject({ code: 'upstream_timeout_unknown_outcome' });
  });

  it('neither starts a server in a loop nor leaves it for ever', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('s', { record, exitAtStart: 3 })]);
    await upstream.sync();
    setClock(byMs);
    for (let look = 0; look < 50; look += 1) upstream.refreshInBackground();
    await until(() => readRecord(record).length > 0, 'the first start');
    expect(readRecord(record).length).toBeLessThanOrEqual(2);
    // The failed server is left alone for 30 s in the background, whatever the clock says, and asked again after it.
    const starts = readRecord(record).length;
    passTime(60_000);
    upstream.refreshInBackground();
    await until(() => readRecord(record).length > starts, 'another start');
  });
});

describe('what is dated in a file', () => {
  const record = { id: 's', stale: false, toolCount: 1, listedAt: 10 * hourMs, ttlMs: 60_000 } as Parameters<
    typeof dueAt
  >[0];
  const watching = { isWatched: false, watchedUntil: 0, maxAgeMs: 600_000 };

  it('a list from before the clock was set back is fetched anew, and one from before it was set ahead as well', () => {
    expect(dueAt(record, watching, 10 * hourMs + 1)).toBe(10 * hourMs + 60_000);
    expect(dueAt(record, watching, 9 * hourMs)).toBe(0);
    expect(dueAt(record, watching, 20 * hourMs)).toBeLessThan(20 * hourMs);
  });

  it('the record of calls does not grow old by a clock that is set ahead', () => {
    const { audit } = open();
    audit.add([{ time: new Date().toISOString(), kind: 'spawn', server: 's', command: 'npx s' }]);
    setClock(365 * 24 * hourMs);
    audit.prune({ maxAgeMs: 24 * hourMs, maxBytes: 1_000_000 });
    expect(audit.read()).toHaveLength(1);
  });

  it('an approval is not drawn out by a clock that is set back', () => {
    const path = ':memory:';
    let now = 10 * hourMs;
    const approvals = new CallApprovalTable(openDatabase(path), () => now);
    const digest = createHash('sha256').update('a call').digest('hex');
    approvals.allow(digest, { isOnce: false, expiresAt: now + 900_000 });
    expect(approvals.take(digest)).toBe(true);
    now -= hourMs;
    expect(approvals.take(digest)).toBe(false);
    // Nor are questions that wait, by which an approval could be given.
    const call = { digest, serverId: 's', toolName: 't', name: 's__t', caller: 'local', arguments: {} };
    now += hourMs;
    const id = approvals.request({ ...call, effect: 'write', isEffectKnown: true });
    now -= hourMs;
    expect(approvals.waiting()).toEqual([]);
    expect(approvals.grant(id, { isOnce: true, expiresAt: now + 900_000 })).toBeUndefined();
  });

  it('a sealed state is not drawn out by a clock that is set back', () => {
    let now = 10 * hourMs;
    const seal = new StateSeal(
      () => new Uint8Array(32),
      () => now,
    );
    const binding = { principal: 'p', serverId: 's', toolName: 't', argumentsHash: 'h' };
    const state = seal.seal({ kind: 'approval', id: 'i' }, binding);
    now += sealedMaxMs;
    expect(seal.open(state, binding)).toEqual({ kind: 'approval', id: 'i' });
    now = 10 * hourMs - 60_000;
    expect(() => seal.open(state, binding)).toThrow(/expired/);
  });
});
