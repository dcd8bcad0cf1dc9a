import { describe, expect, it } from 'vitest';
import { measureJson } from '../../src/validation/measure-json.ts';

const limits = { values: 100, depth: 10 };

describe('measureJson', () => {
  it.each<[string, unknown, { values: number; depth: number }]>([
    ['a text', 'a', { values: 1, depth: 0 }],
    ['an empty list', [], { values: 1, depth: 0 }],
    ['an object', { a: 1, b: [2, { c: null }] }, { values: 6, depth: 3 }],
  ])('counts %s', (_what, value, measure) => {
    expect(measureJson(value, limits)).toEqual(measure);
  });

  it('stops soon after a limit', () => {
    const wide = measureJson(
      Array.from({ length: 1_000 }, () => [1]),
      limits,
    );
    expect(wide.values).toBeGreaterThan(limits.values);
    expect(wide.values).toBeLessThan(2_000);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(measureJson(deep, limits).depth).toBe(limits.depth + 1);
  });
});
