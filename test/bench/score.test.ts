import { describe, expect, it } from 'vitest';
import { bootstrap95, mean, percentile, scoreQuery } from '../../bench/metrics/score.ts';

describe('scoreQuery', () => {
  it('recall counts groups, hit counts any', () => {
    const score = scoreQuery(['x', 'b', 'a2'], [['a1', 'a2'], ['b'], ['c']]);
    expect(score.recall).toEqual({ 1: 0, 3: 2 / 3, 5: 2 / 3, 10: 2 / 3 });
    expect(score.hit).toEqual({ 1: 0, 3: 1, 5: 1, 10: 1 });
    expect(score.mrr10).toBe(1 / 2);
  });

  it('NDCG is 1 for the ideal ranking, and a second member of a found group adds nothing', () => {
    expect(scoreQuery(['a1', 'b'], [['a1', 'a2'], ['b']]).ndcg10).toBeCloseTo(1);
    expect(scoreQuery(['a1', 'a2'], [['a1', 'a2'], ['b']]).ndcg10).toBeCloseTo(1 / (1 + 1 / Math.log2(3)));
  });

  it('nothing found is 0 everywhere', () => {
    const score = scoreQuery([], [['a']]);
    expect([score.recall[10], score.hit[10], score.mrr10, score.ndcg10]).toEqual([0, 0, 0, 0]);
  });

  it('a hit below the tenth place counts for no measure', () => {
    const ranked = [...Array.from({ length: 10 }, (_, index) => `x${index}`), 'a'];
    expect(scoreQuery(ranked, [['a']]).mrr10).toBe(0);
    expect(scoreQuery(ranked, [['a']]).ndcg10).toBe(0);
  });
});

it('percentile takes the nearest rank', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(percentile([4, 1, 3, 2], 0.95)).toBe(4);
  expect(percentile([], 0.5)).toBe(0);
});

it('the bootstrap interval holds the mean and is the same each time', () => {
  const values = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? 1 : 0));
  const [low, high] = bootstrap95(values);
  expect(low).toBeLessThan(mean(values));
  expect(high).toBeGreaterThan(mean(values));
  expect(bootstrap95(values)).toEqual([low, high]);
});
