import { describe, expect, it } from 'vitest';
import type { EraVerdict } from '../../src/model/index.ts';
import type { ServerAuth } from '../../src/upstream/auth/server-auth.ts';
import { partitionOf } from '../../src/upstream/partition.ts';
import { ServerCatalog } from '../../src/upstream/server-catalog.ts';
import { recordingLogger, spec } from './harness.ts';
import { MemoryCatalog } from './memory-catalog.ts';

const transport = { kind: 'http' as const, url: 'http://x/mcp', headers: {} };
const server = spec('srv', transport);

function setUp(memory = new MemoryCatalog()) {
  const auth = { loginId: 'ada' };
  const logger = recordingLogger();
  const catalog = new ServerCatalog(server, { catalog: memory, logger, auth: auth as unknown as ServerAuth });
  return { catalog, memory, auth, logger };
}

const list = { listedAt: 1, trigger: 'sync' as const };

describe('the catalog of one server', () => {
  it('keeps a private list under the login that it was fetched with, also when another follows meanwhile', async () => {
    const { catalog, memory, auth } = setUp();
    const stored = catalog.ingest([{ name: 'a' }], { ...list, isPrivate: true });
    auth.loginId = 'bob';
    catalog.useCredentials();
    await stored;
    expect(memory.row('srv').lists).toMatchObject([{ partition: partitionOf(transport, 'ada') }]);
    expect(memory.credentials.get('srv')).toBe(partitionOf(transport, 'bob'));
  });

  it('names no credentials for a list that is for everybody', async () => {
    const { catalog, memory } = setUp();
    await catalog.ingest([{ name: 'a' }], { ...list, isPrivate: false });
    expect(memory.row('srv').lists).toEqual([{ ...list, fingerprint: server.fingerprint }]);
  });

  it('keeps a verdict on the era until it changes, or for a day', () => {
    const { catalog, memory } = setUp();
    const era: EraVerdict = { era: 'legacy', protocolVersion: '2025-11-25', decidedAt: 1 };
    catalog.recordEra(era);
    catalog.recordEra({ ...era, decidedAt: 2 });
    expect(memory.row('srv').verdicts).toEqual([era]);
    catalog.recordEra({ ...era, protocolVersion: '2025-06-18', decidedAt: 3 });
    catalog.recordEra({ ...era, protocolVersion: '2025-06-18', decidedAt: 3 + 24 * 3_600_000 });
    expect(memory.row('srv').verdicts).toHaveLength(3);
  });

  it('says that a list could not be stored, and logs what else could not be written', async () => {
    class FullCatalog extends MemoryCatalog {
      override ingest(): never {
        throw new Error('disk full');
      }
      override markFailed(): never {
        throw new Error('disk full');
      }
    }
    const { catalog, logger } = setUp(new FullCatalog());
    await expect(catalog.ingest([], { ...list, isPrivate: false })).rejects.toMatchObject({
      code: 'internal',
      details: { server: 'srv', reason: '(disk full)' },
    });
    catalog.markFailed('gone');
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { error: 'disk full' } }]);
  });
});
