import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/catalog/index.ts';
import { fingerprint, meta, open, rawTool, temporaryPath, wanted } from './harness.ts';

const names = (catalog: Catalog) => catalog.tools().map(({ toolName }) => toolName);

/** A process of its own over the file, with these credentials for the server. */
function process(path: string, partition: string): Catalog {
  const catalog = open({ path });
  catalog.configure([wanted('srv')]);
  catalog.useCredentials('srv', partition);
  return catalog;
}

function search(catalog: Catalog, term: string): number {
  return catalog.search({
    terms: [term],
    weights: { name: 1, title: 1, description: 1, parameters: 1, server: 1 },
    limit: 9,
  }).length;
}

describe('a private list', () => {
  it('is seen with its own credentials, and with no others', () => {
    const path = temporaryPath();
    const one = process(path, 'one');
    one.ingest('srv', [rawTool('mine')], meta({ partition: 'one' }));
    expect([names(one), search(one, 'mine')]).toEqual([['mine'], 1]);
    const two = process(path, 'two');
    expect([names(two), search(two, 'mine'), two.names()]).toEqual([[], 0, []]);
    expect(two.tool({ serverId: 'srv', toolName: 'mine' })).toBeUndefined();
    expect(two.servers()).toMatchObject([{ id: 'srv', toolCount: 0 }]);
    expect(two.servers()[0]).not.toHaveProperty('listedAt');
    expect(two.history({ serverId: 'srv', toolName: 'mine' })).toEqual([]);
  });

  it('stands beside those of other credentials', () => {
    const path = temporaryPath();
    const [one, two] = [process(path, 'one'), process(path, 'two')];
    one.ingest('srv', [rawTool('shared'), rawTool('mine')], meta({ partition: 'one' }));
    two.ingest('srv', [rawTool('shared', { description: 'Other words.' })], meta({ partition: 'two' }));
    expect([names(one), names(two)]).toEqual([['mine', 'shared'], ['shared']]);
    expect(two.tools()[0]?.description).toBe('Other words.');
    two.markFailed('srv', fingerprint, 'gone');
    expect([one.servers()[0]?.stale, two.servers()[0]?.stale]).toEqual([false, true]);
    one.ingest('srv', [rawTool('shared')], meta({ partition: 'one', listedAt: 2_000 }));
    expect([names(one), names(two)]).toEqual([['shared'], ['shared']]);
    expect(two.servers()[0]).toMatchObject({ stale: true, listedAt: 1_000 });
  });

  it('is gone at once when other credentials come into use, and back with the old ones', () => {
    const catalog = process(temporaryPath(), 'one');
    catalog.ingest('srv', [rawTool('mine')], meta({ partition: 'one' }));
    const before = catalog.generation();
    expect(search(catalog, 'mine')).toBe(1);
    catalog.useCredentials('srv', 'two');
    expect([names(catalog), catalog.names(), search(catalog, 'mine')]).toEqual([[], [], 0]);
    expect(catalog.generation()).toBeGreaterThan(before);
    catalog.useCredentials('srv', 'one');
    expect([names(catalog), search(catalog, 'mine')]).toEqual([['mine'], 1]);
  });

  it('that was public before keeps keys and history, and is a diff', () => {
    const catalog = process(temporaryPath(), 'one');
    catalog.recordEra('srv', fingerprint, { era: 'modern', protocolVersion: '2026-07-28', decidedAt: 1 });
    catalog.ingest('srv', [rawTool('a'), rawTool('b')], meta());
    const key = catalog.tool({ serverId: 'srv', toolName: 'a' })?.key;
    const changed = [rawTool('a'), rawTool('b', { description: 'New.' })];
    const report = catalog.ingest('srv', changed, meta({ partition: 'one', listedAt: 2_000 }));
    expect(report).toMatchObject({ added: [], changed: ['b'], removed: [], unchanged: 1 });
    expect(catalog.tool({ serverId: 'srv', toolName: 'a' })?.key).toBe(key);
    const history = catalog.history({ serverId: 'srv', toolName: 'b' });
    expect(history.map(({ definition }) => definition.description)).toEqual(['New.', 'Does b.']);
    expect(catalog.servers()[0]?.era).toMatchObject({ era: 'modern' });
  });

  it('that becomes public is everybody’s, and nothing private is left', () => {
    const path = temporaryPath();
    const [one, two] = [process(path, 'one'), process(path, 'two')];
    one.ingest('srv', [rawTool('a')], meta({ partition: 'one' }));
    two.ingest('srv', [rawTool('secret')], meta({ partition: 'two' }));
    const report = one.ingest('srv', [rawTool('a'), rawTool('b')], meta({ listedAt: 2_000 }));
    expect(report).toMatchObject({ added: ['b'], unchanged: 1 });
    expect([names(one), names(two)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(one.history({ serverId: 'srv', toolName: 'a' })).toHaveLength(1);
  });

  it('is kept for the last few credentials alone', () => {
    const path = temporaryPath();
    const processes = ['p1', 'p2', 'p3', 'p4', 'p5'].map((partition, index) => {
      const catalog = process(path, partition);
      catalog.ingest('srv', [rawTool(`of_${partition}`)], meta({ partition, listedAt: 1_000 + index }));
      return catalog;
    });
    expect(processes.map(names)).toEqual([[], ['of_p2'], ['of_p3'], ['of_p4'], ['of_p5']]);
    const [first] = processes;
    expect(first?.servers()[0]).not.toHaveProperty('listedAt');
  });

  it('follows the words and globs of the config', () => {
    const path = temporaryPath();
    process(path, 'one').ingest('srv', [rawTool('a'), rawTool('b')], meta({ partition: 'one' }));
    const again = open({ path });
    again.configure([{ ...wanted('srv'), tools: { include: [], exclude: ['b'] } }]);
    again.useCredentials('srv', 'one');
    expect(names(again)).toEqual(['a']);
  });

  it('of another fingerprint is adopted as a diff', () => {
    const path = temporaryPath();
    process(path, 'one').ingest('srv', [rawTool('a')], meta({ partition: 'one' }));
    const again = open({ path });
    again.configure([{ ...wanted('srv'), fingerprint: 'f2' }]);
    again.useCredentials('srv', 'one');
    expect(names(again)).toEqual([]);
    const report = again.ingest('srv', [rawTool('a'), rawTool('b')], meta({ partition: 'one', fingerprint: 'f2' }));
    expect(report).toMatchObject({ added: ['b'], unchanged: 1 });
  });

  it('is not written anew when a process starts with the credentials of the last', () => {
    const path = temporaryPath();
    const one = process(path, 'one');
    one.ingest('srv', [rawTool('mine')], meta({ partition: 'one' }));
    const before = one.generation();
    expect(names(process(path, 'one'))).toEqual(['mine']);
    expect(one.generation()).toBe(before);
  });
});
