import { describe, expect, it } from 'vitest';
import type { CatalogReader, CatalogWriter, EraVerdict } from '../../src/model/index.ts';
import { fingerprint, meta, open, rawTool, rawTools, temporaryPath, wanted } from '../catalog/harness.ts';

/** A catalog for the configured servers `b` and `a`, in this order. */
type MakeCatalog = () => CatalogReader & CatalogWriter;

const implementations: [string, MakeCatalog][] = [
  [
    'SQLite in memory',
    () => {
      const catalog = open();
      catalog.configure([wanted('b', 0), wanted('a', 1)]);
      return catalog;
    },
  ],
  [
    'SQLite in a file',
    () => {
      const catalog = open({ path: temporaryPath() });
      catalog.configure([wanted('b', 0), wanted('a', 1)]);
      return catalog;
    },
  ],
];

describe.each(implementations)('CatalogReader and CatalogWriter: %s', (_implementation, make) => {
  it('know configured servers before any list', () => {
    const catalog = make();
    expect(catalog.servers()).toEqual([
      { id: 'b', position: 0, fingerprint, stale: false, toolCount: 0 },
      { id: 'a', position: 1, fingerprint, stale: false, toolCount: 0 },
    ]);
    expect([catalog.tools(), catalog.names()]).toEqual([[], []]);
  });

  it('give a tool back as it was sent', () => {
    const catalog = make();
    const raw = rawTool('find', {
      title: 'Find',
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      _meta: { x: [1, null, 'é'] },
    });
    catalog.ingest('a', [rawTool('zero'), raw], meta());
    expect(catalog.tool({ serverId: 'a', toolName: 'find' })).toEqual({
      key: expect.any(Number),
      serverId: 'a',
      toolName: 'find',
      exposedName: 'a__find',
      position: 1,
      status: 'ok',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      definition: raw,
      inputSchema: raw.inputSchema,
      title: 'Find',
      description: 'Does find.',
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
  });

  it('list tools by server, then name; set-aside ones only when asked for', () => {
    const catalog = make();
    catalog.ingest('a', [...rawTools('y', 'x'), rawTool('w', { inputSchema: { type: 'string' } })], meta());
    catalog.ingest('b', rawTools('z'), meta());
    const ids = (filter?: Parameters<CatalogReader['tools']>[0]) =>
      catalog.tools(filter).map(({ serverId, toolName }) => `${serverId}/${toolName}`);
    expect(ids()).toEqual(['b/z', 'a/x', 'a/y']);
    expect(ids({ includeSetAside: true })).toEqual(['b/z', 'a/w', 'a/x', 'a/y']);
    expect(ids({ serverId: 'a' })).toEqual(['a/x', 'a/y']);
    expect(ids({ serverId: 'none' })).toEqual([]);
    expect(catalog.names().map(({ exposedName, status }) => [exposedName, status])).toEqual([
      ['b__z', 'ok'],
      ['a__w', 'set_aside'],
      ['a__x', 'ok'],
      ['a__y', 'ok'],
    ]);
    expect(catalog.servers().map(({ toolCount }) => toolCount)).toEqual([1, 2]);
  });

  it('give tools by key in the order asked for, without unknown ones', () => {
    const catalog = make();
    catalog.ingest('a', rawTools('x', 'y'), meta());
    const [x, y] = catalog.tools().map(({ key }) => key) as [number, number];
    expect(catalog.toolsByKeys([y, 999_999, x, y]).map(({ toolName }) => toolName)).toEqual(['y', 'x', 'y']);
  });

  it('give the same names for one generation and new ones for the next', () => {
    const catalog = make();
    catalog.ingest('a', rawTools('x'), meta());
    const generation = catalog.generation();
    expect(catalog.names()).toBe(catalog.names());
    catalog.ingest('a', rawTools('x', 'y'), meta());
    expect(catalog.generation()).toBeGreaterThan(generation);
    expect(catalog.names().map(({ toolName }) => toolName)).toEqual(['x', 'y']);
  });

  it('keep the protocol verdict of a server, listed or not', () => {
    const catalog = make();
    const verdict: EraVerdict = { era: 'modern', protocolVersion: '2026-07-28', decidedAt: 5, discover: { a: 1 } };
    catalog.recordEra('a', fingerprint, verdict);
    expect(catalog.servers()[1]?.era).toEqual(verdict);
    catalog.ingest('a', rawTools('x'), meta());
    expect(catalog.servers()[1]).toMatchObject({ era: verdict, listedAt: 1_000 });
  });

  it('find the history of tools that are gone', () => {
    const catalog = make();
    catalog.ingest('a', rawTools('x', 'y'), meta({ listedAt: 1 }));
    catalog.ingest('a', rawTools('y'), meta({ listedAt: 2 }));
    expect(catalog.history({ serverId: 'a', toolName: 'x' })).toMatchObject([{ firstSeenAt: 1, replacedAt: 2 }]);
    expect(catalog.history({ serverId: 'a', toolName: 'none' })).toEqual([]);
  });

  it('keep private lists out of what everybody sees', () => {
    const catalog = make();
    catalog.ingest('a', rawTools('public'), meta());
    catalog.ingest('a', rawTools('private'), meta({ partition: 'alice' }));
    expect(catalog.tools().map(({ toolName }) => toolName)).toEqual(['public']);
    expect(catalog.tool({ serverId: 'a', toolName: 'private' })).toBeUndefined();
    expect(catalog.history({ serverId: 'a', toolName: 'private' })).toEqual([]);
  });
});
