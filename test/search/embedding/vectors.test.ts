import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanPool, toUnitLength } from '../../../src/search/embedding/pooling.ts';
import { truncate } from '../../../src/search/embedding/truncate.ts';
import { topIndexes } from '../../../src/search/top-indexes.ts';

describe('meanPool', () => {
  it('is the mean of the rows at unit length', () => {
    expect([...meanPool(Float32Array.of(1, 0, 5, 8), 2)]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
  });

  it('leaves a zero vector zero', () => {
    expect([...toUnitLength(new Float32Array(2))]).toEqual([0, 0]);
  });
});

describe('truncate', () => {
  it.each([
    [[101, 7, 102], 3, [101, 7, 102]],
    [[101, 7, 8, 9, 102], 3, [101, 7, 102]],
    [[101, 102], 256, [101, 102]],
  ])('%j to %d', (ids, maxTokens, expected) => {
    expect(truncate(ids, maxTokens)).toEqual(expected);
  });
});

describe('topIndexes', () => {
  it('finds what sorting everything would find', () => {
    const values = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 20 }), (list, count) => {
        const sorted = list
          .map((value, index) => ({ value, index }))
          .sort((a, b) => b.value - a.value || a.index - b.index);
        const expected = sorted.slice(0, count).map(({ index }) => index);
        expect(topIndexes(Float32Array.from(list), count)).toEqual(expected);
      }),
    );
  });

  it('passes over what is not allowed', () => {
    expect(topIndexes(Float32Array.of(3, 2, 1), 2, (index) => index !== 0)).toEqual([1, 2]);
  });
});
