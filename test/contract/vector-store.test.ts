import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, VectorStore } from '../../src/model/index.ts';
import { axis, meta, open, rawTool, rawTools, wanted } from '../catalog/harness.ts';

/** A store whose texts are those of the list given last. */
type MakeStore = () => { store: VectorStore; list: (tools: JsonObject[]) => void; keyOf: (name: string) => number };

const implementations: [string, MakeStore][] = [
  [
    'SQLite',
    () => {
      const catalog = open();
      catalog.configure([wanted('s')]);
      return {
        store: catalog,
        list: (tools) => {
          catalog.ingest('s', tools, meta({ trigger: 'list_changed' }));
          catalog.indexPending();
        },
        keyOf: (toolName) => catalog.tool({ serverId: 's', toolName })?.key ?? -1,
      };
    },
  ],
];

describe.each(implementations)('VectorStore: %s', (_implementation, make) => {
  const hashes = (store: VectorStore, limit = 100) => store.missing('m', limit).map(({ textHash }) => textHash);
  const putAll = (store: VectorStore, modelId = 'm') =>
    store.put(
      modelId,
      store.missing(modelId, 100).map(({ textHash }, index) => ({ textHash, vector: axis(index) })),
    );

  it('is empty at first', () => {
    const { store } = make();
    expect(store.coverage('m')).toEqual({ texts: 0, embedded: 0 });
    expect(store.missing('m', 10)).toEqual([]);
    expect(store.matrix('m')).toEqual({
      dimensions: 0,
      toolKeys: new Int32Array(),
      textOrdinals: new Int32Array(),
      values: new Int8Array(),
      scales: new Float32Array(),
      mark: expect.any(String),
      isContinuation: false,
    });
  });

  it('gives the vectors of texts, and none of those that have none or are unknown', () => {
    const { store, list } = make();
    list(rawTools('a', 'b'));
    const [first = '', second = ''] = hashes(store);
    store.put('m', [{ textHash: first, vector: new Float32Array([0.6, -0.8]) }]);
    const found = store.get('m', [first, second, 'unknown']);
    expect([...found.keys()]).toEqual([first]);
    expect(found.get(first)?.[0]).toBeCloseTo(0.6, 2);
    expect(found.get(first)?.[1]).toBeCloseTo(-0.8, 2);
    expect(store.get('other', [first]).size).toBe(0);
  });

  it('gives back what was put, row by row', () => {
    const { store, list, keyOf } = make();
    list(rawTools('a', 'b', 'c'));
    expect(store.coverage('m')).toEqual({ texts: 3, embedded: 0 });
    const missing = store.missing('m', 100);
    expect(missing.map(({ text }) => text)).toEqual(['Does a.', 'Does b.', 'Does c.']);
    const generation = store.vectorGeneration();
    const vectors = [new Float32Array([0.6, 0.8]), new Float32Array([-1, 0]), new Float32Array([0, 1])];
    store.put(
      'm',
      missing.map(({ textHash }, index) => ({ textHash, vector: vectors[index] as Float32Array })),
    );
    expect(store.vectorGeneration()).toBeGreaterThan(generation);
    expect(store.coverage('m')).toEqual({ texts: 3, embedded: 3 });
    expect(store.missing('m', 100)).toEqual([]);
    expect(store.matrix('m')).toMatchObject({
      dimensions: 2,
      toolKeys: Int32Array.from(['a', 'b', 'c'].map(keyOf)),
      textOrdinals: new Int32Array(3),
      values: new Int8Array([95, 127, -127, 0, 0, 127]),
      scales: new Float32Array([0.8 / 127, 1 / 127, 1 / 127]),
    });
  });

  it('gives back any vector to within half a step of its scale', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { store, list } = make();
        list(rawTools('a'));
        store.put('m', [{ textHash: hashes(store)[0] as string, vector: Float32Array.from(values) }]);
        const matrix = store.matrix('m');
        const scale = matrix.scales[0] as number;
        expect(matrix.values).toHaveLength(values.length);
        for (const [index, expected] of values.entries()) {
          expect(Math.abs((matrix.values[index] as number) * scale - expected)).toBeLessThanOrEqual(
            0.501 * scale + 1e-9,
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it('makes a row of zeros of what is no direction', () => {
    const { store, list } = make();
    list(rawTools('a', 'b'));
    const vectors = [new Float32Array(2), new Float32Array([Number.NaN, Number.NaN])];
    store.put(
      'm',
      hashes(store).map((textHash, index) => ({ textHash, vector: vectors[index] as Float32Array })),
    );
    expect(store.matrix('m')).toMatchObject({ values: new Int8Array(4), scales: new Float32Array(2) });
  });

  it('gives only the rows that came since, while the tools are the same', () => {
    const { store, list, keyOf } = make();
    list(rawTools('a', 'b', 'c'));
    const [a, b, c] = hashes(store) as [string, string, string];
    const put = (...texts: string[]) =>
      store.put(
        'm',
        texts.map((textHash) => ({ textHash, vector: axis(0, 2) })),
      );
    put(b);
    const first = store.matrix('m');
    expect(first).toMatchObject({ isContinuation: false, toolKeys: Int32Array.of(keyOf('b')) });
    expect(store.matrix('m', first.mark)).toMatchObject({ isContinuation: true, toolKeys: new Int32Array() });
    put(a, b);
    const second = store.matrix('m', first.mark);
    expect(second).toMatchObject({ dimensions: 2, isContinuation: true, toolKeys: Int32Array.of(keyOf('a')) });
    store.put('m', [{ textHash: c, vector: axis(0, 3) }]);
    expect(store.matrix('m', second.mark)).toMatchObject({ isContinuation: true, toolKeys: new Int32Array() });
    expect(store.matrix('m')).toMatchObject({
      isContinuation: false,
      toolKeys: Int32Array.from(['b', 'a'].map(keyOf)),
    });
    expect(store.matrix('other', second.mark)).toMatchObject({ isContinuation: false, toolKeys: new Int32Array() });
    list(rawTools('a', 'c'));
    expect(store.matrix('m', second.mark)).toMatchObject({
      isContinuation: false,
      toolKeys: Int32Array.of(keyOf('a')),
    });
  });

  it('takes a vector that is a part of a larger buffer', () => {
    const { store, list } = make();
    list(rawTools('a'));
    store.put('m', [{ textHash: hashes(store)[0] as string, vector: new Float32Array([9, 1, 0, 9]).subarray(1, 3) }]);
    expect(store.matrix('m').values).toEqual(new Int8Array([127, 0]));
  });

  it('names no text twice, keeps the limit, and asks again for what was not put', () => {
    const { store, list } = make();
    list(Array.from({ length: 10 }, (_, index) => rawTool(`t${index}`)));
    const first = hashes(store, 4);
    expect(first).toHaveLength(4);
    expect(hashes(store, 4)).toEqual(first);
    store.put(
      'm',
      first.slice(1).map((textHash) => ({ textHash, vector: axis(0) })),
    );
    const second = hashes(store, 4);
    expect(second).toHaveLength(4);
    expect(second[0]).toBe(first[0]);
    expect(store.coverage('m')).toEqual({ texts: 10, embedded: 3 });
    putAll(store);
    expect(new Set(store.matrix('m').toolKeys).size).toBe(10);
    expect(store.missing('m', 0)).toEqual([]);
  });

  it('counts on while a job embeds batch by batch', () => {
    const { store, list } = make();
    list(Array.from({ length: 10 }, (_, index) => rawTool(`t${index}`)));
    const counts: number[] = [];
    for (let batch = hashes(store, 3); batch.length > 0; batch = hashes(store, 3)) {
      store.put(
        'm',
        batch.map((textHash) => ({ textHash, vector: axis(0) })),
      );
      counts.push(store.coverage('m').embedded);
    }
    expect(counts).toEqual([3, 6, 9, 10]);
    store.put('m', [{ textHash: 'unknown', vector: axis(0) }]);
    expect(store.coverage('m')).toEqual({ texts: 10, embedded: 10 });
  });

  it('keeps models apart', () => {
    const { store, list } = make();
    list(rawTools('a'));
    putAll(store, 'm');
    expect(store.coverage('other')).toEqual({ texts: 1, embedded: 0 });
    expect(store.missing('other', 10)).toHaveLength(1);
    expect(store.matrix('other').values).toHaveLength(0);
  });

  it('keeps the vector of a text that stays when other fields change', () => {
    const { store, list, keyOf } = make();
    list(rawTools('a'));
    putAll(store);
    list([rawTool('a', { annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } })]);
    expect(store.coverage('m')).toEqual({ texts: 1, embedded: 1 });
    expect([...store.matrix('m').toolKeys]).toEqual([keyOf('a')]);
  });

  it('shares a vector among tools with one text, and drops it with the last of them', () => {
    const { store, list, keyOf } = make();
    const [a, b, c] = [rawTool('a', { description: 'x' }), rawTool('b', { description: 'x' }), rawTool('c')] as const;
    list([a, b, c]);
    expect(store.coverage('m')).toEqual({ texts: 2, embedded: 0 });
    putAll(store);
    expect([...store.matrix('m').toolKeys]).toEqual([keyOf('a'), keyOf('b'), keyOf('c')]);
    list([b, c]);
    expect(store.coverage('m')).toEqual({ texts: 2, embedded: 2 });
    list([c]);
    list([a, b, c]);
    expect(store.missing('m', 10).map(({ text }) => text)).toEqual(['x']);
  });

  it('asks for the new text of a tool that it has passed already', () => {
    const { store, list } = make();
    list(rawTools('a', 'b', 'c'));
    store.put(
      'm',
      hashes(store, 2).map((textHash) => ({ textHash, vector: axis(0) })),
    );
    expect(store.missing('m', 1)[0]?.text).toBe('Does c.');
    list([rawTool('a', { description: 'Otherwise.' }), ...rawTools('b', 'c')]);
    expect(store.missing('m', 1)[0]?.text).toBe('Otherwise.');
    expect(store.coverage('m')).toEqual({ texts: 3, embedded: 1 });
  });

  it('does not store a text that vanished while it was being embedded', () => {
    const { store, list } = make();
    list(rawTools('a', 'b'));
    const batch = hashes(store);
    list(rawTools('b'));
    store.put(
      'm',
      batch.map((textHash) => ({ textHash, vector: axis(0) })),
    );
    expect(store.coverage('m')).toEqual({ texts: 1, embedded: 1 });
    list(rawTools('a', 'b'));
    expect(store.missing('m', 10).map(({ text }) => text)).toEqual(['Does a.']);
  });

  it('leaves a vector of another size out, so that search goes on', () => {
    const { store, list } = make();
    list(rawTools('a', 'b', 'c'));
    const sizes = [2, 3, 2];
    store.put(
      'm',
      hashes(store).map((textHash, index) => ({ textHash, vector: axis(0, sizes[index]) })),
    );
    expect(store.matrix('m')).toMatchObject({ dimensions: 2, values: new Int8Array([127, 0, 127, 0]) });
  });
});
