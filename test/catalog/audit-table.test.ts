import { setTimeout as delay } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/model/index.ts';
import { open, temporaryPath } from './harness.ts';

const retention = { maxAgeMs: 1_000_000, maxBytes: 1_000_000 };
const call = (tool: string, more: Partial<AuditEntry> = {}): Omit<AuditEntry, 'id'> => ({
  time: new Date().toISOString(),
  kind: 'call',
  caller: 'local',
  server: 'notes',
  tool,
  hash: 'h',
  arguments: '{}',
  decision: 'allow',
  rule: 'default',
  operationId: 'op',
  outcome: 'ok',
  durationMs: 1.5,
  ...more,
});
const tools = (entries: readonly AuditEntry[]) => entries.map(({ tool }) => tool);

describe('the record of calls', () => {
  it('gives back what was written, the newest ones, oldest first', () => {
    const { audit } = open();
    const spawn = { time: '2026-01-02T03:04:05.000Z', kind: 'spawn', server: 'notes', command: 'npx notes' } as const;
    audit.add([spawn, call('a', { requestId: '7' })]);
    audit.add([call('b')]);
    const entries = audit.read();
    expect(entries[0]).toEqual({ id: 1, ...spawn });
    expect(entries[1]).toEqual({ id: 2, ...call('a', { requestId: '7', time: entries[1]?.time ?? '' }) });
    expect(tools(audit.read({ limit: 2 }))).toEqual(['a', 'b']);
    expect(tools(audit.read({ afterId: 2 }))).toEqual(['b']);
  });

  it('finds texts as they are, and the entries before one', () => {
    const { audit } = open();
    audit.add([call('read_file'), call('readXfile', { caller: 'client:50%' }), call('write', { outcome: 'denied' })]);
    expect(tools(audit.read({ text: 'READ_' }))).toEqual(['read_file']);
    expect(tools(audit.read({ text: '50%' }))).toEqual(['readXfile']);
    expect(tools(audit.read({ text: 'denied' }))).toEqual(['write']);
    expect(tools(audit.read({ text: '\\' }))).toEqual([]);
    expect(tools(audit.read({ beforeId: 3, limit: 1 }))).toEqual(['readXfile']);
  });

  it('counts calls by stretches of time, and those that failed', () => {
    const { audit } = open();
    const at = (ms: number) => ({ time: new Date(ms).toISOString() });
    const failed = { outcome: 'denied' };
    const asked = { outcome: 'input_required' };
    const spawn = { ...at(2_100), kind: 'spawn', server: 'notes', command: 'npx' } as const;
    audit.add([call('a', at(999)), call('b', at(2_000)), call('c', { ...at(2_999), ...failed }), spawn]);
    audit.add([call('d', { ...at(5_000), ...asked })]);
    expect(audit.activity(1_000, 1_000)).toEqual([
      { start: 2_000, calls: 2, failures: 1 },
      { start: 5_000, calls: 1, failures: 0 },
    ]);
  });

  it('finds failed calls, and those of one server', () => {
    const { audit } = open();
    audit.add([
      call('fine'),
      call('asked', { outcome: 'input_required' }),
      call('broken', { outcome: 'upstream_error' }),
      call('said so', { outcome: 'tool_error', server: 'other' }),
      { time: new Date().toISOString(), kind: 'spawn', server: 'notes', command: 'x' },
    ]);
    expect(tools(audit.read({ failedOnly: true }))).toEqual(['broken', 'said so']);
    expect(tools(audit.read({ failedOnly: true, server: 'other' }))).toEqual(['said so']);
  });

  it('keeps what is neither too old nor too much', () => {
    const { audit } = open();
    const old = call('old', { time: new Date(Date.now() - 2_000_000).toISOString() });
    audit.add([old, call('new')]);
    expect(audit.prune(retention)).toBe(false);
    expect(tools(audit.read())).toEqual(['new']);
    audit.add(Array.from({ length: 20 }, (_, index) => call(`long ${index}`, { arguments: 'x'.repeat(1_000) })));
    audit.prune({ ...retention, maxBytes: 5_000 });
    expect(tools(audit.read())).toEqual(['long 15', 'long 16', 'long 17', 'long 18', 'long 19']);
    audit.add([call('next')]);
    audit.prune({ ...retention, maxBytes: 5_000 });
    expect(tools(audit.read()).at(-1)).toBe('next');
  });

  it('never waits for another process that writes', async () => {
    const path = temporaryPath();
    const { audit } = open({ path });
    const other = new BetterSqlite(path);
    other.exec('BEGIN IMMEDIATE');
    const before = performance.now();
    expect(() => audit.add([call('a')])).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    expect(performance.now() - before).toBeLessThan(5_000);
    other.exec('ROLLBACK');
    other.close();
    await delay(0);
    audit.add([call('a')]);
    expect(tools(audit.read())).toEqual(['a']);
  });
});
