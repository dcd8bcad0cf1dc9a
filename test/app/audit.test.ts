import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { AuditTrail } from '../../src/app/audit-trail.ts';
import { type CreateOptions, createToolcrib, type Toolcrib } from '../../src/index.ts';
import type { AuditEntry, AuditStore, CallRecord } from '../../src/model/index.ts';
import { createRedactor } from '../../src/telemetry/index.ts';
import { KeepingLogger } from '../router/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-audit-'));
const open: Toolcrib[] = [];
afterAll(async () => {
  for (const crib of open) await crib.close();
  rmSync(folder, { recursive: true, force: true });
});

const rawServer = fileURLToPath(new URL('../fixtures/servers/raw-server.mjs', import.meta.url));
const catalog = join(folder, 'catalog.db');
const config: CreateOptions = {
  mcpServers: { raw: { command: process.execPath, args: [rawServer], env: { API_KEY: 's3cr3t-of-the-config' } } },
  embedding: 'none',
  mode: 'discovery',
  catalog,
};

function create(options: CreateOptions): Toolcrib {
  const crib = createToolcrib(options);
  open.push(crib);
  return crib;
}

describe('the record of a toolcrib', () => {
  it('holds every call and every start, without secrets, once it is closed', async () => {
    const crib = create(config);
    await crib.sync();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await crib.call(
      'call_tool',
      { name: 'raw__echo', arguments: { text: `s3cr3t-of-the-config ${token}`, password: 'x' } },
      { principal: 'me', meta: { 'dev.toolcrib/idempotencyKey': 'key-1' } },
    );
    await crib.call('call_tool', { name: 'raw__fail', arguments: { error: { code: -32603, message: 'no' } } });
    await crib.call('call_tool', { name: 'raw__nope', arguments: {} });
    await crib.call('call_tool', { name: token, arguments: {} }, { meta: { 'dev.toolcrib/idempotencyKey': token } });
    await crib.call('call_tool', { name: 'raw__big', arguments: 'prose' });
    await crib.close();
    const reader = create(config);
    const [spawn, ...calls] = reader.auditLog();
    expect(spawn).toMatchObject({ kind: 'spawn', server: 'raw', command: `${process.execPath} ${rawServer}` });
    expect(calls).toMatchObject([
      {
        kind: 'call',
        caller: 'me',
        server: 'raw',
        tool: 'echo',
        hash: reader.describe('raw__echo').hash,
        arguments: '{"text":"[redacted] [redacted]","password":"[redacted]"}',
        decision: 'allow',
        rule: 'default',
        operationId: 'key-1',
        outcome: 'ok',
      },
      { tool: 'fail', outcome: 'upstream_error', caller: 'local' },
      { tool: 'raw__nope', outcome: 'unknown_tool', decision: 'deny', rule: 'unknown_tool' },
      { tool: '[redacted]', operationId: '[redacted]', outcome: 'unknown_tool' },
      { tool: 'big', outcome: 'invalid_arguments' },
    ]);
    expect(calls[0]?.durationMs).toBeGreaterThan(0);
    expect(reader.auditLog({ failedOnly: true })).toHaveLength(4);
  });

  it('is not kept where the config wants none', async () => {
    const crib = create({ ...config, catalog: ':memory:', audit: { enabled: false } });
    await crib.call('call_tool', { name: 'nope', arguments: {} });
    await crib.close();
    expect(open.at(-1)).toBe(crib);
  });

  it('takes secrets out of results too, where the config wants it', async () => {
    const plain = create({ ...config, catalog: ':memory:' });
    const masked = create({ ...config, catalog: ':memory:', redactResults: true });
    const texts = [];
    for (const crib of [plain, masked]) {
      await crib.sync();
      const { content } = await crib.call('raw__echo', { text: 'it is s3cr3t-of-the-config' });
      texts.push(content[0]?.text);
    }
    expect(texts).toEqual(['{"text":"it is s3cr3t-of-the-config"}', '{"text":"it is [redacted]"}']);
  });
});

describe('AuditTrail', () => {
  const record = (tool: string): CallRecord => ({
    kind: 'call',
    time: 0,
    caller: 'local',
    tool,
    args: { long: 'x'.repeat(100_000) },
    decision: 'allow',
    rule: 'default',
    operationId: 'op',
    outcome: 'ok',
    durationMs: 1,
  });

  function setUp() {
    const written: Omit<AuditEntry, 'id'>[] = [];
    const state = { fails: false };
    const store: AuditStore = {
      add: (entries) => {
        if (state.fails) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
        written.push(...entries);
      },
      read: () => [],
      activity: () => [],
      prune: () => false,
    };
    const logger = new KeepingLogger();
    const retention = { maxAgeMs: 1, maxBytes: 1 };
    return {
      written,
      state,
      logger,
      trail: new AuditTrail({ store, redactor: createRedactor([]), retention, logger }),
    };
  }

  it('writes nothing while calls are answered, and all of it later on', async () => {
    const { written, trail } = setUp();
    for (let index = 0; index < 120; index += 1) trail.record(record(`t${index}`));
    expect(written).toEqual([]);
    await expect.poll(() => written.length).toBe(120);
    expect(written.map(({ tool }) => tool)).toEqual(Array.from({ length: 120 }, (_, index) => `t${index}`));
    expect(JSON.parse(written[0]?.arguments ?? '')).toHaveProperty('long');
    expect(written[0]?.arguments?.length).toBeLessThan(20_000);
  });

  it('keeps what cannot be written for the next time, and says so once', async () => {
    const { written, state, logger, trail } = setUp();
    state.fails = true;
    trail.record(record('a'));
    await expect.poll(() => logger.lines.length).toBe(1);
    trail.record(record('b'));
    state.fails = false;
    await trail.close();
    expect(written.map(({ tool }) => tool)).toEqual(['a', 'b']);
    expect(logger.lines).toHaveLength(1);
  });
});
