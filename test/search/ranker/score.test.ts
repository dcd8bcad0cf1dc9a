import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Features, featureNames, featureParts } from '../../../src/search/ranker/feature-names.ts';
import { shippedRanker } from '../../../src/search/ranker/ranker.ts';
import { combineWeights, scoreTool } from '../../../src/search/ranker/score.ts';

const hybrid = { hybrid: 1, lexical: 0, embedding: 0 };
const anyFeatures = fc
  .array(fc.double({ min: -2, max: 2, noNaN: true }), {
    minLength: featureNames.length,
    maxLength: featureNames.length,
  })
  .map((values) => Object.fromEntries(featureNames.map((name, index) => [name, values[index]])) as Features);
const shares = fc
  .double({ min: 0, max: 1, noNaN: true })
  .map((share) => ({ hybrid: share, lexical: 1 - share, embedding: 0 }));

describe('scoreTool', () => {
  it('is the sum of the parts it explains', () => {
    fc.assert(
      fc.property(anyFeatures, shares, (features, evidence) => {
        const { score, parts } = scoreTool(1, features, combineWeights(shippedRanker(), evidence), 'mention');
        const sum = Object.values(parts()).reduce((total, part) => total + part, 0);
        expect(score).toBeCloseTo(sum, 9);
        const known: string[] = ['name', ...Object.values(featureParts)];
        for (const part of Object.keys(parts())) expect(known).toContain(part);
      }),
    );
  });

  it('puts a named tool above whatever else two tools may hold', () => {
    fc.assert(
      fc.property(anyFeatures, anyFeatures, shares, (named, other, evidence) => {
        const weights = combineWeights(shippedRanker(), evidence);
        const score = (features: Features, match?: 'exactCase' | 'anyStyle' | 'twoEdits') =>
          scoreTool(1, features, weights, match).score;
        expect(score(named, 'exactCase')).toBeGreaterThan(score(other, 'anyStyle'));
        expect(score(named, 'anyStyle')).toBeGreaterThan(score(other, 'twoEdits'));
        expect(score(named, 'twoEdits')).toBeGreaterThan(score(other));
      }),
    );
  });

  it('mixes the models by their shares', () => {
    const zero = Object.fromEntries(featureNames.map((name) => [name, 0])) as Features;
    const features = { ...zero, keywords: 1 };
    const ranker = shippedRanker();
    const mixed = combineWeights(ranker, { hybrid: 0.5, lexical: 0.5, embedding: 0 });
    const half = scoreTool(1, features, mixed, undefined).score;
    const { hybrid: h, lexical: l } = ranker.weights;
    expect(half).toBeCloseTo((h.keywords + l.keywords) / 2, 9);
    expect(scoreTool(1, zero, combineWeights(ranker, hybrid), 'mention').parts()).toEqual({ name: 1000 });
  });
});
