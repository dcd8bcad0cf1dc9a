import BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { benchDataHint, isBenchDataAbsent, readReal66 } from './bench-data.ts';
import {
  embedAll,
  fingerprint,
  found,
  meta,
  open,
  rawTool,
  rawTools,
  temporaryPath,
  toolNames,
  wanted,
} from './harness.ts';

/** Counts every write to a tool row, whoever makes it, from now on. */
function countToolWrites(path: string): () => number {
  const database = new BetterSqlite(path);
  database.exec(`
    CREATE TABLE write_log (event TEXT);
    ${['INSERT', 'UPDATE', 'DELETE']
      .map(
        (event) =>
          `CREATE TRIGGER log_${event} AFTER ${event} ON tool BEGIN INSERT INTO write_log VALUES ('${event}'); END;`,
      )
      .join('\n')}
  `);
  database.close();
  return () => {
    const reader = new BetterSqlite(path, { readonly: true });
    const count = reader.prepare('SELECT count(*) FROM write_log').pluck().get() as number;
    reader.close();
    return count;
  };
}

describe('ingest', () => {
  it('writes what is new, changed or gone, and nothing else', () => {
    const path = temporaryPath();
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b', 'c'), meta());
    const writes = countToolWrites(path);
    const keys = () => Object.fromEntries(catalog.tools().map(({ toolName, key }) => [toolName, key]));
    const before = keys();
    const report = catalog.ingest('s', [rawTool('a'), rawTool('b', { description: 'New.' }), rawTool('d')], meta());
    expect(report).toEqual({
      serverId: 's',
      accepted: true,
      added: ['d'],
      changed: ['b'],
      removed: ['c'],
      unchanged: 1,
      repaired: 0,
      setAside: 0,
    });
    expect(writes()).toBe(3);
    expect(keys()).toEqual({ a: before.a, b: before.b, d: expect.any(Number) });
    expect(found(catalog, ['new'])).toEqual(['b']);
    expect(found(catalog, ['c'])).toEqual([]);
  });

  it('writes nothing for an unchanged list, whatever the order of keys, and moves only its freshness', () => {
    const path = temporaryPath();
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    const writes = countToolWrites(path);
    const generation = catalog.generation();
    const reversed = rawTools('a', 'b').map((tool) => Object.fromEntries(Object.entries(tool).reverse()));
    const report = catalog.ingest('s', reversed, meta({ listedAt: 9_000, ttlMs: 60_000 }));
    expect(report).toMatchObject({ unchanged: 2, added: [], changed: [], removed: [] });
    expect(writes()).toBe(0);
    expect(catalog.generation()).toBe(generation);
    expect(catalog.servers()).toMatchObject([{ listedAt: 9_000, ttlMs: 60_000 }]);
  });

  it('follows a new order of the same tools', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    catalog.ingest('s', rawTools('b', 'a'), meta());
    expect(catalog.tool({ serverId: 's', toolName: 'b' })?.position).toBe(0);
  });

  it('gives no key a second time', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a'), meta());
    const key = catalog.tool({ serverId: 's', toolName: 'a' })?.key as number;
    catalog.ingest('s', rawTools('b'), meta());
    expect(catalog.tool({ serverId: 's', toolName: 'b' })?.key).toBeGreaterThan(key);
    expect(catalog.toolsByKeys([key])).toEqual([]);
  });

  it.skipIf(isBenchDataAbsent)(
    `takes all 2,514 tools of real66, and writes no tool row when they come again${benchDataHint}`,
    () => {
      const path = temporaryPath();
      const catalog = open({ path });
      const servers = readReal66();
      catalog.configure(servers.map(({ server }, position) => wanted(server, position)));
      const first = servers.map(({ server, tools }) => catalog.ingest(server, tools, meta()));
      const sum = (key: 'repaired' | 'setAside' | 'unchanged') =>
        first.reduce((total, report) => total + report[key], 0);
      expect(first.flatMap(({ added }) => added)).toHaveLength(2_514);
      expect([sum('repaired'), sum('setAside')]).toEqual([9, 1]);
      const all = catalog.tools({ includeSetAside: true });
      expect(all).toHaveLength(2_514);
      expect(new Set(all.map(({ exposedName }) => exposedName)).size).toBe(2_514);
      const writes = countToolWrites(path);
      const generation = catalog.generation();
      for (const { server, tools } of servers.toReversed()) catalog.ingest(server, tools, meta({ listedAt: 2_000 }));
      expect(writes()).toBe(0);
      expect(catalog.generation()).toBe(generation);
      catalog.close();
      open({ path }).configure(servers.map(({ server }, position) => wanted(server, position)));
      expect(writes()).toBe(0);
    },
  );

  it('applied after any other list gives what the list alone gives', () => {
    const list = fc
      .array(
        fc.record({
          name: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', ''),
          description: fc.constantFrom('one', 'two'),
          inputSchema: fc.constantFrom<JsonObject>({ type: 'object' }, { type: 'string' }, {}),
        }),
        { maxLength: 6 },
      )
      .map((tools) => tools as JsonObject[]);
    const content = (lists: JsonObject[][]) => {
      const catalog = open();
      catalog.configure([wanted('s')]);
      for (const tools of lists) catalog.ingest('s', tools, meta({ trigger: 'list_changed' }));
      const tools = catalog.tools({ includeSetAside: true }).map(({ key: _key, ...tool }) => tool);
      const words = ['a', 'one', 'two', 'proto', 's'].map((term) => found(catalog, [term]).sort());
      const texts = catalog
        .missing('m', 100)
        .map(({ text }) => text)
        .sort();
      catalog.close();
      return { tools, words, texts };
    };
    fc.assert(
      fc.property(list, list, (earlier, later) => {
        expect(content([earlier, later])).toEqual(content([later]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a tool that cannot be called the way its server is reached', () => {
  it('is set aside with the reason, and comes back when it can', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    const tools = rawTools('a', 'b');
    const unusable = new Map([[1, 'cannot be called over HTTP: x-mcp-header is no header name']]);
    expect(catalog.ingest('s', tools, meta({ unusable }))).toMatchObject({ setAside: 1 });
    expect(catalog.tools().map(({ toolName }) => toolName)).toEqual(['a']);
    const b = catalog.tool({ serverId: 's', toolName: 'b' });
    expect(b).toMatchObject({ status: 'set_aside', problem: unusable.get(1), definition: tools[1] });
    catalog.ingest('s', rawTools('a', 'b'), meta());
    expect(catalog.tools().map(({ toolName }) => toolName)).toEqual(['a', 'b']);
    expect(catalog.tool({ serverId: 's', toolName: 'b' })?.problem).toBeUndefined();
  });
});

describe('an empty list', () => {
  const filled = () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    return catalog;
  };

  it.each(['first', 'reconnect', 'expired', 'sync'] as const)('on %s is believed when it comes twice', (trigger) => {
    const catalog = filled();
    const generation = catalog.generation();
    expect(catalog.ingest('s', [], meta({ trigger }))).toMatchObject({ accepted: false, removed: [], unchanged: 2 });
    expect(toolNames(catalog)).toEqual(['a', 'b']);
    expect(catalog.generation()).toBe(generation);
    expect(catalog.ingest('s', [], meta({ trigger }))).toMatchObject({ accepted: true, removed: ['a', 'b'] });
    expect(toolNames(catalog)).toEqual([]);
  });

  it.each(['list_changed', 'ingest'] as const)('on %s is believed at once', (trigger) => {
    const catalog = filled();
    expect(catalog.ingest('s', [], meta({ trigger }))).toMatchObject({ accepted: true, removed: ['a', 'b'] });
    expect(toolNames(catalog)).toEqual([]);
  });

  it('counts anew after a list with tools', () => {
    const catalog = filled();
    catalog.ingest('s', [], meta());
    catalog.ingest('s', rawTools('a', 'b'), meta());
    expect(catalog.ingest('s', [], meta()).accepted).toBe(false);
  });

  it('is believed of a server that never had tools', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    expect(catalog.ingest('s', [], meta()).accepted).toBe(true);
    expect(catalog.servers()).toMatchObject([{ listedAt: 1_000, toolCount: 0 }]);
  });

  it('under a new fingerprint leaves the earlier tools to be adopted', () => {
    const catalog = filled();
    embedAll(catalog);
    catalog.configure([{ ...wanted('s'), fingerprint: 'f2' }]);
    catalog.ingest('s', [], meta({ fingerprint: 'f2', trigger: 'first' }));
    const report = catalog.ingest('s', rawTools('a', 'b'), meta({ fingerprint: 'f2' }));
    expect(report).toMatchObject({ added: [], unchanged: 2 });
    expect(catalog.coverage('m')).toEqual({ texts: 2, embedded: 2 });
  });
});

describe('a changed fingerprint', () => {
  it('hides the earlier tools until the first list, which is then a diff', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    embedAll(catalog);
    catalog.configure([{ ...wanted('s'), fingerprint: 'f2' }]);
    expect(catalog.tools()).toEqual([]);
    expect(found(catalog, ['a'])).toEqual([]);
    expect(catalog.servers()).toMatchObject([{ fingerprint: 'f2', toolCount: 0 }]);
    expect(catalog.servers()[0]?.listedAt).toBeUndefined();
    const report = catalog.ingest('s', rawTools('a', 'c'), meta({ fingerprint: 'f2' }));
    expect(report).toMatchObject({ added: ['c'], removed: ['b'], unchanged: 1 });
    expect(catalog.coverage('m')).toEqual({ texts: 2, embedded: 1 });
    catalog.configure([wanted('s')]);
    expect(catalog.tools()).toEqual([]);
  });

  it('keeps history in one line', () => {
    const catalog = open();
    catalog.configure([{ ...wanted('s'), fingerprint: 'f2' }]);
    catalog.ingest('s', rawTools('a'), meta({ listedAt: 1 }));
    catalog.ingest('s', rawTools('a'), meta({ fingerprint: 'f2', listedAt: 2 }));
    const versions = catalog.history({ serverId: 's', toolName: 'a' });
    expect(versions).toHaveLength(1);
    expect(versions[0]).not.toHaveProperty('replacedAt');
  });

  it('together with other globs and words takes those for the adopted tools too', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    const server = { ...wanted('s'), fingerprint: 'f2', description: 'quarry', tools: { include: [], exclude: ['b'] } };
    catalog.configure([server]);
    catalog.ingest('s', rawTools('a', 'b'), meta({ fingerprint: 'f2' }));
    expect(toolNames(catalog)).toEqual(['a']);
    expect(found(catalog, ['quarry'])).toEqual(['a']);
  });
});

describe('a failed list', () => {
  it('keeps the tools and marks the server stale until the next good one', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a'), meta());
    const generation = catalog.generation();
    catalog.markFailed('s', fingerprint, 'connection refused');
    expect(catalog.generation()).toBeGreaterThan(generation);
    expect(catalog.servers()).toMatchObject([{ stale: true, lastError: 'connection refused', listedAt: 1_000 }]);
    expect(found(catalog, ['a'])).toEqual(['a']);
    const failed = catalog.generation();
    catalog.markFailed('s', fingerprint, 'connection refused');
    expect(catalog.generation()).toBe(failed);
    catalog.ingest('s', rawTools('a'), meta({ listedAt: 2_000 }));
    expect(catalog.generation()).toBeGreaterThan(failed);
    expect(catalog.servers()).toMatchObject([{ stale: false, listedAt: 2_000 }]);
    expect(catalog.servers()[0]).not.toHaveProperty('lastError');
  });

  it('of a server never listed says why, and makes nothing stale', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.markFailed('s', fingerprint, 'no such command');
    expect(catalog.servers()).toMatchObject([{ stale: false, lastError: 'no such command', toolCount: 0 }]);
  });
});

describe('history', () => {
  const tool = { serverId: 's', toolName: 't' };
  const versionsAfter = (lists: (string | undefined)[]) => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    for (const [index, description] of lists.entries()) {
      const tools = description === undefined ? [] : [rawTool('t', { description })];
      catalog.ingest('s', [...tools, rawTool('other')], meta({ listedAt: index + 1 }));
    }
    return catalog
      .history(tool)
      .map(({ definition, firstSeenAt, replacedAt }) => [definition.description, firstSeenAt, replacedAt]);
  };

  it.each<[string, (string | undefined)[], unknown[][]]>([
    ['one version', ['A', 'A'], [['A', 1, undefined]]],
    [
      'A → B',
      ['A', 'B'],
      [
        ['B', 2, undefined],
        ['A', 1, 2],
      ],
    ],
    [
      'A → B → A',
      ['A', 'B', 'A'],
      [
        ['A', 3, undefined],
        ['B', 2, 3],
        ['A', 1, 2],
      ],
    ],
    ['removed', ['A', undefined], [['A', 1, 2]]],
    ['removed → back', ['A', undefined, 'A'], [['A', 1, undefined]]],
    [
      'removed → back otherwise',
      ['A', undefined, 'B'],
      [
        ['B', 3, undefined],
        ['A', 1, 2],
      ],
    ],
  ])('keeps %s', (_case, lists, expected) => {
    expect(versionsAfter(lists)).toEqual(expected);
  });

  it('does not grow without end', () => {
    const versions = versionsAfter(Array.from({ length: 130 }, (_, index) => `at ${index}`));
    expect(versions).toHaveLength(100);
    expect(versions[0]?.[0]).toBe('at 129');
  });
});

describe('ingest without a server', () => {
  it('is active whatever the config says, after the configured ones', () => {
    const catalog = open();
    catalog.configure([wanted('z')]);
    catalog.ingest('a', rawTools('free'), meta({ fingerprint: 'ingest', trigger: 'ingest' }));
    catalog.configure([]);
    expect(toolNames(catalog)).toEqual(['free']);
    catalog.configure([wanted('z')]);
    expect(catalog.servers().map(({ id, position }) => [id, position])).toEqual([
      ['z', 0],
      ['a', 1],
    ]);
  });

  it('of a configured server is seen, and the next list of that server replaces it', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a'), meta());
    catalog.ingest('s', rawTools('b'), meta({ fingerprint: 'ingest', trigger: 'ingest' }));
    expect(toolNames(catalog)).toEqual(['b']);
    catalog.ingest('s', rawTools('a'), meta());
    expect(toolNames(catalog)).toEqual(['a']);
  });
});
