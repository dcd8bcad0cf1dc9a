import { describe, expect, it } from 'vitest';
import { linearAdapter } from '../../../src/search/ranker/query-adapter.ts';

describe('linearAdapter', () => {
  it('adds the map to the vector and scales to unit length', () => {
    // W = [[0, 1], [0, 0]] moves the second value onto the first.
    const adapt = linearAdapter(Int8Array.of(0, 100, 0, 0), Float32Array.of(0.01, 1));
    const adapted = adapt(Float32Array.of(0, 1));
    expect(adapted[0]).toBeCloseTo(Math.SQRT1_2);
    expect(adapted[1]).toBeCloseTo(Math.SQRT1_2);
  });

  it('leaves vectors as they are where the map is zero, and a zero vector zero', () => {
    const adapt = linearAdapter(new Int8Array(4), Float32Array.of(1, 1));
    expect([...adapt(Float32Array.of(0.6, 0.8))].map((value) => value.toFixed(4))).toEqual(['0.6000', '0.8000']);
    expect([...adapt(new Float32Array(2))]).toEqual([0, 0]);
  });
});
