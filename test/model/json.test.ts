import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from '../../src/model/index.ts';

describe('isNestedDeeper', () => {
  it.each([
    ['a text', 'x', 0, false],
    ['an empty list', [], 1, false],
    ['an empty list, where nothing may nest', [], 0, true],
    ['lists and objects alike', { a: [{ b: [] }] }, 4, false],
    ['one level too much', { a: [{ b: [] }] }, 3, true],
    ['the deepest of several', [[], [[[]]], []], 3, true],
  ])('%s', (_what, value, levels, expected) => {
    expect(isNestedDeeper(value, levels)).toBe(expected);
  });

  it('needs no stack, and ends where a value holds itself', () => {
    expect(isNestedDeeper(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), 150_000)).toBe(true);
    const self: unknown[] = [];
    self.push(self);
    expect(isNestedDeeper(self, 1_000)).toBe(true);
  });
});
