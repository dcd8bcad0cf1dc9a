import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VectorMatrix, VectorStore } from '../../../src/model/index.ts';
import { createArena } from '../../../src/search/embedding/kernel/create-arena.ts';
import { toUnitLength } from '../../../src/search/embedding/pooling.ts';
import { VectorScan } from '../../../src/search/embedding/vector-scan.ts';
import { VectorScans } from '../../../src/search/embedding/vector-scans.ts';
import { topIndexes } from '../../../src/search/top-indexes.ts';

interface Row {
  key: number;
  ordinal?: number;
  vector: readonly number[];
}

/** Coded as the catalog does it. */
function matrixOf(rows: readonly Row[], isContinuation = false): VectorMatrix {
  const dimensions = rows[0]?.vector.length ?? 0;
  const scales = rows.map(({ vector }) => Math.max(0, ...vector.map(Math.abs)) / 127);
  const coded = rows.flatMap(({ vector }, row) => vector.map((value) => Math.round(value / (scales[row] || 1))));
  return {
    dimensions,
    toolKeys: Int32Array.from(rows, ({ key }) => key),
    textOrdinals: Int32Array.from(rows, ({ ordinal = 0 }) => ordinal),
    values: Int8Array.from(coded),
    scales: Float32Array.from(scales),
    mark: String(rows.length),
    isContinuation,
  };
}

const rows: Row[] = [
  { key: 7, vector: [1, 0, 0, 0] },
  { key: 7, ordinal: 1, vector: [0, 1, 0, 0] },
  { key: 9, vector: [0, 0, 0.6, 0.8] },
];

describe('VectorScan', () => {
  it('compares with the vectors of one ordinal', () => {
    const scan = new VectorScan(matrixOf(rows), 0);
    expect([...scan.toolKeys]).toEqual([7, 9]);
    expect([...scan.cosines(Float32Array.of(0, 0, 0, 1))]).toEqual([0, expect.closeTo(0.8, 5)]);
    expect(scan.cosinesOf(Float32Array.of(1, 0, 0, 0), [7])[0]).toBeCloseTo(1, 5);
    expect(new VectorScan(matrixOf(rows), 1).cosinesOf(Float32Array.of(0, 1, 0, 0), [7])[0]).toBeCloseTo(1, 5);
  });

  it('knows which tools have no vector', () => {
    const names = new VectorScan(matrixOf(rows), 1);
    expect(names.cosinesOf(Float32Array.of(0, 1, 0, 0), [9])[0]).toBeNaN();
    expect([...names.cosinesOf(Float32Array.of(0, 1, 0, 0), [9, 7])]).toEqual([Number.NaN, expect.closeTo(1, 5)]);
    expect(names.rowOf(9)).toBeUndefined();
    expect(names.vectorOf(9)).toBeUndefined();
    expect(new VectorScan(matrixOf([]), 0).toolKeys).toHaveLength(0);
    expect(new VectorScan(matrixOf([]), 0).cosines(Float32Array.of(1))).toHaveLength(0);
  });

  it('gives back the vector of a tool', () => {
    const vector = new VectorScan(matrixOf(rows), 0).vectorOf(9);
    expect([...(vector ?? [])]).toEqual([0, 0, 0.6, 0.8].map((value) => expect.closeTo(value, 2)));
  });

  it('agrees with floating point on any vectors, row by row and all at once', () => {
    const cases = fc.integer({ min: 1, max: 50 }).chain((dimensions) => {
      const unit = fc
        .array(fc.integer({ min: -99, max: 99 }), { minLength: dimensions, maxLength: dimensions })
        .map((values) => toUnitLength(Float32Array.from(values)));
      return fc.tuple(unit, fc.array(unit, { minLength: 1, maxLength: 20 }));
    });
    fc.assert(
      fc.property(cases, ([query, vectors]) => {
        const scan = new VectorScan(matrixOf(vectors.map((vector, key) => ({ key, vector: [...vector] }))), 0);
        const exact = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0));
        const cosines = scan.cosines(query);
        expect([...cosines]).toEqual(exact.map((cosine) => expect.closeTo(cosine, 1)));
        expect([...scan.cosinesOf(query, [...exact.keys()])]).toEqual([...cosines]);
      }),
    );
  });

  it('takes rows behind those it has, past the size of a block', () => {
    const all = Array.from({ length: 3_000 }, (_, key) => ({ key, vector: [Math.cos(key), Math.sin(key)] }));
    const grown = new VectorScan(matrixOf(all.slice(0, 1_000)), 0);
    for (let start = 1_000; start < 3_000; start += 500) grown.append(matrixOf(all.slice(start, start + 500), true));
    const query = Float32Array.of(0.6, 0.8);
    expect(grown.cosines(query)).toEqual(new VectorScan(matrixOf(all), 0).cosines(query));
    expect(grown.toolKeys).toHaveLength(3_000);
    expect(grown.rowOf(2_999)).toBe(2_999);
  });

  it('ranks as floating point does', () => {
    const random = fc.sample(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 }), {
      numRuns: 400,
      seed: 1,
    });
    const vectors = random.map((values) => toUnitLength(Float32Array.from(values)));
    const scan = new VectorScan(matrixOf(vectors.map((vector, key) => ({ key, vector: [...vector] }))), 0);
    let agreeing = 0;
    for (const query of vectors.slice(0, 50)) {
      const exact = Float32Array.from(vectors, (vector) =>
        vector.reduce((sum, v, at) => sum + v * (query[at] ?? 0), 0),
      );
      const expected = new Set(topIndexes(exact, 10));
      agreeing += topIndexes(scan.cosines(query), 10).filter((row) => expected.has(row)).length;
    }
    expect(agreeing / 500).toBeGreaterThanOrEqual(0.98);
  });
});

describe('VectorScans', () => {
  /** A store that answers each call with the next of these. */
  const storeOf = (answers: VectorMatrix[]) => {
    const marks: (string | undefined)[] = [];
    const matrix: VectorStore['matrix'] = (_modelId, since) => {
      marks.push(since);
      return answers.shift() as VectorMatrix;
    };
    return { store: { matrix } as VectorStore, marks };
  };

  it('reads what is new behind what it has, and everything when told', () => {
    const { store, marks } = storeOf([
      matrixOf(rows),
      matrixOf([{ key: 3, vector: [0, 1, 0, 0] }], true),
      matrixOf([], true),
      matrixOf([{ key: 4, vector: [0, 0, 1, 0] }]),
    ]);
    const scans = new VectorScans(store, 'm');
    expect(scans.of(0).toolKeys).toHaveLength(0);
    expect(scans.refresh()).toBe(true);
    expect([...scans.of(0).toolKeys]).toEqual([7, 9]);
    expect(scans.refresh()).toBe(true);
    expect([...scans.of(0).toolKeys]).toEqual([7, 9, 3]);
    expect(scans.of(0).cosinesOf(Float32Array.of(0, 1, 0, 0), [3])[0]).toBeCloseTo(1, 5);
    expect(scans.refresh()).toBe(false);
    expect([...scans.of(0).toolKeys]).toEqual([7, 9, 3]);
    expect([...scans.of(1).toolKeys]).toEqual([7]);
    expect(scans.refresh()).toBe(true);
    expect([...scans.of(0).toolKeys]).toEqual([4]);
    expect([...scans.of(0).cosines(Float32Array.of(0, 0, 1, 0))]).toEqual([expect.closeTo(1, 5)]);
    expect(scans.of(1).toolKeys).toHaveLength(0);
    expect(marks).toEqual([undefined, '3', '1', '0']);
  });

  it('starts anew when the first vectors come, and when their size changes', () => {
    const { store } = storeOf([
      matrixOf([]),
      matrixOf([{ key: 1, vector: [1, 0] }], true),
      matrixOf([{ key: 2, vector: Array(40).fill(0.158) }]),
    ]);
    const scans = new VectorScans(store, 'm');
    scans.refresh();
    scans.refresh();
    expect(scans.of(0).cosinesOf(Float32Array.of(1, 0), [1])[0]).toBeCloseTo(1, 5);
    scans.refresh();
    expect(scans.of(0).cosinesOf(new Float32Array(40).fill(0.158), [2])[0]).toBeCloseTo(1, 2);
    expect(createArena(40).stride).toBe(48);
  });
});
