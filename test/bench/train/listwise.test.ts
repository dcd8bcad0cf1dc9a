import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listwiseLoss } from '../../../bench/train/listwise.ts';

const someScores = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 4, maxLength: 8 });

describe('listwiseLoss', () => {
  it('is small where a member of each group leads, and large where it comes last', () => {
    const list = { groups: [[0, 1]], weight: 1 };
    const right = listwiseLoss(Float64Array.of(10, 0, 0), list).loss;
    const wrong = listwiseLoss(Float64Array.of(0, 0, 10), list).loss;
    expect(right).toBeLessThan(0.01);
    expect(wrong).toBeGreaterThan(5);
  });

  it('has the slopes of its loss', () => {
    fc.assert(
      fc.property(someScores, (values) => {
        const list = { groups: [[0], [1, 2]], weight: 2 };
        const scores = Float64Array.from(values);
        const { slopes } = listwiseLoss(scores, list);
        const step = 1e-5;
        for (const index of scores.keys()) {
          const higher = scores.map((score, at) => (at === index ? score + step : score));
          const lower = scores.map((score, at) => (at === index ? score - step : score));
          const measured = (listwiseLoss(higher, list).loss - listwiseLoss(lower, list).loss) / (2 * step);
          expect(slopes[index]).toBeCloseTo(measured, 4);
        }
      }),
    );
  });
});
