import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/catalog/index.ts';
import type { ToolAnalyzer } from '../../src/model/index.ts';
import { benchDataHint, isBenchDataAbsent, readReal66 } from './bench-data.ts';
import {
  axis,
  embedAll,
  found,
  meta,
  open,
  rawTools,
  temporaryPath,
  toolNames,
  wanted,
  wordAnalyzer,
} from './harness.ts';

function twoServers(): Catalog {
  const catalog = open();
  catalog.configure([wanted('git', 0), wanted('mail', 1)]);
  catalog.ingest('git', rawTools('commit', 'push'), meta());
  catalog.ingest('mail', rawTools('send'), meta());
  embedAll(catalog);
  return catalog;
}

/** All that a reader can see of a catalog. */
const view = (catalog: Catalog) => ({
  servers: catalog.servers().map(({ id, toolCount }) => [id, toolCount]),
  tools: toolNames(catalog),
  names: catalog.names().map(({ exposedName }) => exposedName),
  found: found(catalog, ['does']),
  documents: catalog.documentFrequencies(['does', 'send']),
  coverage: catalog.coverage('m'),
  missing: catalog.missing('none', 10).length,
  rows: catalog.matrix('m').toolKeys.length,
  tokens: catalog.definitionTokens().map(({ serverId }) => serverId),
  uncounted: catalog.uncountedTools(10).length,
});

describe('a server that leaves the config', () => {
  it('is gone at once from everything, and back as it was', () => {
    const catalog = twoServers();
    const before = view(catalog);
    expect(before).toMatchObject({ tools: ['commit', 'push', 'send'], rows: 3, missing: 3, uncounted: 3 });
    catalog.configure([wanted('git', 0)]);
    expect(view(catalog)).toEqual({
      servers: [['git', 2]],
      tools: ['commit', 'push'],
      names: ['git__commit', 'git__push'],
      found: ['commit', 'push'],
      documents: {
        frequencies: new Map([
          ['does', 2],
          ['send', 0],
        ]),
        documents: 2,
      },
      coverage: { texts: 2, embedded: 2 },
      missing: 2,
      rows: 2,
      tokens: ['git'],
      uncounted: 2,
    });
    expect(catalog.tool({ serverId: 'mail', toolName: 'send' })).toBeUndefined();
    catalog.configure([wanted('git', 0), wanted('mail', 1)]);
    expect(view(catalog)).toEqual(before);
  });

  it('writes nothing', () => {
    const catalog = twoServers();
    const generation = catalog.generation();
    catalog.configure([wanted('git', 0)]);
    expect(catalog.generation()).toBe(generation);
  });
});

describe('the order of the config', () => {
  it('is that of servers, tools and names, whatever the order of ingest', () => {
    const catalog = twoServers();
    catalog.configure([wanted('git', 5), wanted('mail', 2)]);
    expect(catalog.servers().map(({ id }) => id)).toEqual(['mail', 'git']);
    expect(toolNames(catalog)).toEqual(['send', 'commit', 'push']);
    expect(catalog.names().map(({ toolName }) => toolName)).toEqual(['send', 'commit', 'push']);
  });
});

describe('globs', () => {
  const filtered = (include: string[], exclude: string[] = []) => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('get_a', 'get_b', 'set_a', 'files/read', '.hidden', 'UPPER'), meta());
    catalog.configure([{ ...wanted('s'), tools: { include, exclude } }]);
    return catalog;
  };

  it.each([
    [[], [], ['.hidden', 'UPPER', 'files/read', 'get_a', 'get_b', 'set_a']],
    [['*'], [], ['.hidden', 'UPPER', 'files/read', 'get_a', 'get_b', 'set_a']],
    [['get_*'], [], ['get_a', 'get_b']],
    [['get_*', 'set_a'], ['*_b'], ['get_a', 'set_a']],
    [['files/*'], [], ['files/read']],
    [['{get,set}_a'], [], ['get_a', 'set_a']],
    [[], ['*_*', '.*', 'UPPER'], ['files/read']],
    [['upper'], [], []],
    [[''], [], []],
    [[], [''], ['.hidden', 'UPPER', 'files/read', 'get_a', 'get_b', 'set_a']],
  ])('include %j exclude %j leave %j', (include, exclude, expected) => {
    expect(toolNames(filtered(include, exclude))).toEqual(expected);
  });

  it('hide a tool from search, names, vectors and counts, and give it back when they change back', () => {
    const catalog = filtered([]);
    embedAll(catalog);
    const before = view(catalog);
    catalog.configure([{ ...wanted('s'), tools: { include: ['get_a'], exclude: [] } }]);
    expect(view(catalog)).toMatchObject({
      servers: [['s', 1]],
      tools: ['get_a'],
      names: ['s__get_a'],
      found: ['get_a'],
      documents: { documents: 1 },
      coverage: { texts: 1, embedded: 1 },
      missing: 1,
      rows: 1,
      uncounted: 1,
    });
    expect(catalog.tool({ serverId: 's', toolName: 'get_b' })).toBeUndefined();
    catalog.configure([wanted('s')]);
    expect(view(catalog)).toEqual(before);
  });

  it('hold for tools that come later', () => {
    const catalog = filtered(['get_*']);
    catalog.ingest('s', rawTools('get_c', 'set_c'), meta());
    expect(toolNames(catalog)).toEqual(['get_c']);
  });
});

describe("the user's words about a server", () => {
  it('are searchable once they change, and no longer when they go', () => {
    const catalog = twoServers();
    const generation = catalog.generation();
    catalog.configure([{ ...wanted('git', 0), description: 'company repositories' }, wanted('mail', 1)]);
    expect(catalog.generation()).toBeGreaterThan(generation);
    expect(found(catalog, ['repositories'])).toEqual(['commit', 'push']);
    expect(catalog.servers()[0]).toMatchObject({ description: 'company repositories' });
    catalog.configure([wanted('git', 0), wanted('mail', 1)]);
    expect(found(catalog, ['repositories'])).toEqual([]);
    expect(catalog.coverage('m')).toEqual({ texts: 3, embedded: 3 });
  });
});

describe('naming', () => {
  it('is applied to what is stored, and to nothing when it is the same', () => {
    const path = temporaryPath();
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a'), meta());
    const names = () => catalog.names().map(({ exposedName }) => exposedName);
    expect(names()).toEqual(['s__a']);
    catalog.configure([wanted('s')], { nameMaxLength: 64, prefix: false });
    expect(names()).toEqual(['a']);
    const generation = catalog.generation();
    catalog.configure([wanted('s')]);
    catalog.close();
    const reopened = open({ path, naming: { nameMaxLength: 64, prefix: false } });
    expect(reopened.generation()).toBe(generation);
  });

  it('applies to tools that come later', () => {
    const catalog = open();
    catalog.configure([wanted('s')], { nameMaxLength: 49, prefix: true });
    catalog.ingest('s', rawTools('a'.repeat(60)), meta());
    expect(catalog.tools()[0]?.exposedName).toHaveLength(49);
  });

  it.skipIf(isBenchDataAbsent)(`does not depend on the order of ingest${benchDataHint}`, () => {
    const servers = readReal66();
    const exposed = (order: typeof servers) => {
      const catalog = open();
      catalog.configure(servers.map(({ server }, position) => wanted(server, position)));
      for (const { server, tools } of order) catalog.ingest(server, tools, meta());
      return catalog.names().map(({ serverId, toolName, exposedName }) => [serverId, toolName, exposedName]);
    };
    const forwards = exposed(servers);
    expect(exposed(servers.toReversed())).toEqual(forwards);
    expect(forwards.every(([, , name]) => /^[A-Za-z0-9_-]{1,64}$/.test(name as string))).toBe(true);
  });
});

describe('another analyser', () => {
  const renaming = (id: string, word: string): ToolAnalyzer => ({
    id,
    analyze: (tool) => {
      const { keywords } = wordAnalyzer.analyze(tool);
      return {
        keywords: { ...keywords, title: word },
        profile: new Uint8Array(),
        embeddingTexts: [`${word} ${tool.toolName}`],
      };
    },
  });

  it('re-indexes all that is stored, and only when its id differs', () => {
    const path = temporaryPath();
    const first = open({ path, analyzer: renaming('one', 'alpha') });
    first.configure([wanted('s')]);
    first.ingest('s', [...rawTools('a', 'b'), { name: 'c', inputSchema: { type: 'string' } }], meta());
    embedAll(first);
    const generation = first.generation();
    first.close();

    const same = open({ path, analyzer: renaming('one', 'beta') });
    same.configure([wanted('s')]);
    expect([found(same, ['alpha']), found(same, ['beta'])]).toEqual([['a', 'b'], []]);
    expect(same.generation()).toBe(generation);
    same.close();

    const other = open({ path, analyzer: renaming('two', 'beta') });
    other.configure([wanted('s')]);
    // As before until their turn comes.
    expect([found(other, ['alpha']), found(other, ['beta'])]).toEqual([['a', 'b'], []]);
    expect(other.indexPending()).toBe(false);
    expect([found(other, ['alpha']), found(other, ['beta'])]).toEqual([[], ['a', 'b']]);
    expect(other.documentFrequencies(['alpha', 'beta'])).toEqual({
      frequencies: new Map([
        ['alpha', 0],
        ['beta', 2],
      ]),
      documents: 2,
    });
    expect(other.coverage('m')).toEqual({ texts: 2, embedded: 0 });
    expect(other.generation()).toBeGreaterThan(generation);
    other.close();

    // Vectors of texts that no analyser makes any more do not stay behind.
    const back = open({ path, analyzer: renaming('one', 'alpha') });
    back.configure([wanted('s')]);
    expect(back.coverage('m')).toEqual({ texts: 2, embedded: 0 });
    expect(back.matrix('m').values).toHaveLength(0);
    back.put(
      'm',
      back.missing('m', 9).map(({ textHash }) => ({ textHash, vector: axis(0) })),
    );
    expect(back.coverage('m')).toEqual({ texts: 2, embedded: 2 });
  });
});
