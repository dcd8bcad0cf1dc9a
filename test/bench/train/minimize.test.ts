import { describe, expect, it } from 'vitest';
import { minimize } from '../../../bench/train/minimize.ts';

describe('minimize', () => {
  it('finds the lowest point of a quadratic bowl', () => {
    const centre = [3, -1, 0.5];
    const stretch = [1, 20, 300];
    const found = minimize(
      (x) => {
        const off = x.map((value, index) => value - (centre[index] ?? 0));
        return {
          value: off.reduce((sum, value, index) => sum + ((stretch[index] ?? 0) * value * value) / 2, 0),
          gradient: off.map((value, index) => (stretch[index] ?? 0) * value),
        };
      },
      new Float64Array(3),
      100,
    );
    for (const [index, value] of centre.entries()) expect(found[index]).toBeCloseTo(value, 2);
  });

  it('follows a curved valley (Rosenbrock)', () => {
    const found = minimize(
      ([a = 0, b = 0]) => ({
        value: (1 - a) ** 2 + 100 * (b - a * a) ** 2,
        gradient: Float64Array.of(-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)),
      }),
      Float64Array.of(-1.2, 1),
      500,
    );
    expect(found[0]).toBeCloseTo(1, 1);
    expect(found[1]).toBeCloseTo(1, 1);
  });
});
