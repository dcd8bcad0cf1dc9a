import { describe, expect, it } from 'vitest';
import { withLowRankDelta } from '../../index-data/build/low-rank.ts';

const weights = new Map([
  ['layer.weight', Float32Array.of(1, 2, 3, 4, 5, 6)],
  ['layer.bias', Float32Array.of(7, 8)],
]);

describe('withLowRankDelta', () => {
  it('adds the product of the two factors to their weight, and to nothing else', () => {
    const down = Float32Array.of(1, 0, -1);
    const up = Float32Array.of(10, 100);
    const changed = withLowRankDelta(
      weights,
      new Map([
        ['layer.lora_A', down],
        ['layer.lora_B', up],
      ]),
    );
    expect(changed.get('layer.weight')).toEqual(Float32Array.of(11, 2, -7, 104, 5, -94));
    expect(changed.get('layer.bias')).toEqual(weights.get('layer.bias'));
    expect(weights.get('layer.weight')).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  });

  it('takes factors of any rank', () => {
    const down = Float32Array.of(1, 0, 0, 0, 1, 0);
    const up = Float32Array.of(1, 2, 3, 4);
    const changed = withLowRankDelta(
      weights,
      new Map([
        ['layer.lora_A', down],
        ['layer.lora_B', up],
      ]),
    );
    expect(changed.get('layer.weight')).toEqual(Float32Array.of(2, 4, 3, 7, 9, 6));
  });

  it.each([
    ['of a weight that there is not', 'other', Float32Array.of(1, 2)],
    ['without the second factor', 'layer', undefined],
    ['of other sizes', 'layer', Float32Array.of(1, 2, 3)],
  ])('refuses a change %s', (_, name, up) => {
    const delta = new Map([[`${name}.lora_A`, Float32Array.of(1, 0, -1)]]);
    if (up !== undefined) delta.set(`${name}.lora_B`, up);
    expect(() => withLowRankDelta(weights, delta)).toThrow(/change/);
  });
});
