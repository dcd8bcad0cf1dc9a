import BetterSqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { axis, found, meta, open, rawTool, rawTools, temporaryPath, wanted } from './harness.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => rawTool(`t${index}`));

describe('what is searched for in a tool', () => {
  it('is made a few tools at a time, and no more is left than was listed', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    expect(catalog.indexPending(0)).toBe(false);
    catalog.ingest('s', many(20), meta());
    expect(catalog.coverage('m')).toEqual({ texts: 20, embedded: 0 });
    const steps: boolean[] = [];
    do steps.push(catalog.indexPending(0));
    while (steps.at(-1));
    expect(steps.length).toBeGreaterThan(1);
    expect(catalog.coverage('m')).toEqual({ texts: 20, embedded: 0 });
    expect(catalog.profiles(catalog.names().map(({ key }) => key)).size).toBe(20);
  });

  it('is there for a search that follows at once', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    expect(found(catalog, ['does'])).toEqual(['a', 'b']);
    catalog.ingest('s', [rawTool('a', { description: 'Otherwise.' }), ...rawTools('b')], meta());
    expect(catalog.documentFrequencies(['does', 'otherwise']).frequencies).toEqual(
      new Map([
        ['does', 1],
        ['otherwise', 1],
      ]),
    );
    expect(found(catalog, ['otherwise'])).toEqual(['a']);
  });

  it('is made by the next process where the one that listed the tool ended before', () => {
    const path = temporaryPath();
    const first = open({ path });
    first.configure([wanted('s')]);
    first.ingest('s', rawTools('a', 'b'), meta());
    const second = open({ path });
    second.configure([wanted('s')]);
    first.close();
    expect(found(second, ['does'])).toEqual(['a', 'b']);
  });

  it('is seen by another process that has looked before', () => {
    const path = temporaryPath();
    const [one, other] = [open({ path }), open({ path })];
    for (const catalog of [one, other]) catalog.configure([wanted('s')]);
    one.ingest('s', many(20), meta());
    one.indexPending(0);
    const texts = other.missing('m', 5);
    other.put(
      'm',
      texts.map(({ textHash }) => ({ textHash, vector: axis(0) })),
    );
    const before = other.vectorGeneration();
    const { mark } = other.matrix('m');
    one.indexPending();
    expect(other.vectorGeneration()).toBeGreaterThan(before);
    expect(other.matrix('m', mark).isContinuation).toBe(false);
    expect(other.documentFrequencies(['does']).frequencies.get('does')).toBe(20);
  });

  it('comes with the texts to embed', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', many(20), meta());
    const texts = new Set<string>();
    for (let batch = catalog.missing('m', 3); batch.length > 0; batch = catalog.missing('m', 3)) {
      for (const { text } of batch) texts.add(text);
      catalog.put(
        'm',
        batch.map(({ textHash }) => ({ textHash, vector: axis(0) })),
      );
    }
    expect(texts.size).toBe(20);
    expect(catalog.coverage('m')).toEqual({ texts: 20, embedded: 20 });
    catalog.ingest('s', [rawTool('t0', { description: 'New words.' }), ...many(20).slice(1)], meta());
    expect(catalog.missing('m', 3).map(({ text }) => text)).toEqual(['New words.']);
  });

  it('is not made before its turn while there are enough texts to embed', () => {
    const path = temporaryPath();
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    catalog.ingest('s', many(40), meta());
    catalog.indexPending(0);
    const countMade = new BetterSqlite(path).prepare('SELECT count(*) FROM embedding_text').pluck();
    const before = countMade.get() as number;
    expect(catalog.missing('m', before)).toHaveLength(before);
    expect(countMade.get()).toBe(before);
    expect(catalog.missing('m', before + 4).length).toBeGreaterThan(before);
    expect(countMade.get()).toBeLessThan(40);
  });

  it('is gone with a tool that is set aside', () => {
    const catalog = open();
    catalog.configure([wanted('s')]);
    catalog.ingest('s', rawTools('a', 'b'), meta());
    catalog.indexPending();
    catalog.ingest(
      's',
      [{ name: 'a', description: 'Does a.', inputSchema: { type: 'string' } }, ...rawTools('b')],
      meta(),
    );
    expect(catalog.indexPending(0)).toBe(false);
    expect(found(catalog, ['does'])).toEqual(['b']);
    expect(catalog.coverage('m').texts).toBe(1);
  });
});
