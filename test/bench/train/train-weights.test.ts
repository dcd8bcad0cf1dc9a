import { describe, expect, it } from 'vitest';
import { trainWeights } from '../../../bench/train/train-weights.ts';
import { featureNames } from '../../../src/search/training.ts';

describe('trainWeights', () => {
  it('trusts the feature that tells right from wrong, and leaves out what is not to be used', () => {
    const telling = featureNames.indexOf('coverage');
    const row = (coverage: number, noise: number) =>
      Float64Array.from(featureNames, (name, index) =>
        index === telling ? coverage : name === 'keywords' ? noise : 0,
      );
    const lists = Array.from({ length: 40 }, (_, index) => ({
      groups: [[0]],
      weight: 1,
      features: [row(1, index % 3), row(0.2, (index + 1) % 3), row(0, (index + 2) % 3)],
    }));
    const weights = trainWeights(lists, ['coverage', 'keywords']);
    expect(weights.coverage).toBeGreaterThan(0.1);
    expect(Math.abs(weights.keywords ?? 0)).toBeLessThan((weights.coverage ?? 0) / 3);
    expect(Object.keys(weights)).toEqual(['coverage', 'keywords']);
  });
});
