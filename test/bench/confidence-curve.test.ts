import { describe, expect, it } from 'vitest';
import type { Answer } from '../../bench/metrics/answers.ts';
import { confidenceCurve } from '../../bench/metrics/confidence-curve.ts';
import { scoreQuery } from '../../bench/metrics/score.ts';

function answers(good: (number | undefined)[], none: (number | undefined)[], weakBelow = 0): Answer[] {
  const answer = (topScore: number | undefined): Answer => ({
    query: { id: '', query: '', lang: 'en', category: 'all', groups: [], helpful: [] },
    latencyMs: 1,
    isWeak: topScore !== undefined && topScore < weakBelow,
    isEmpty: topScore === undefined,
    ...(topScore === undefined ? {} : { topScore }),
  });
  return [...good.map((score) => ({ ...answer(score), score: scoreQuery(['a'], [['a']]) })), ...none.map(answer)];
}

describe('confidenceCurve', () => {
  it.each([
    ['kinds apart', [0.8, 0.9], [0.1, 0.2], 1],
    ['kinds the wrong way round', [0.1, 0.2], [0.8, 0.9], 0],
    ['kinds alike', [0.5, 0.5], [0.5, 0.5], 0.5],
    ['one of four pairs wrong', [0.3, 0.9], [0.1, 0.5], 0.75],
    ['an unanswerable query without an answer', [0.1], [undefined], 1],
  ])('AUC of %s', (_, good, none, auc) => expect(confidenceCurve(answers(good, none))?.auc).toBe(auc));

  it('rises from nothing marked to everything marked', () => {
    const points = confidenceCurve(answers([0.2, 0.4, 0.6, 0.8], [0.1, 0.3]))?.points ?? [];
    expect(points[0]).toEqual([0, 0.5]);
    expect(points.at(-1)).toEqual([1, 1]);
    for (const [index, point] of points.entries()) {
      const before = points[index - 1] ?? [0, 0];
      expect(point[0]).toBeGreaterThanOrEqual(before[0]);
      expect(point[1]).toBeGreaterThanOrEqual(before[1]);
    }
  });

  it('tells what the arm itself marks, empty answers included', () => {
    expect(confidenceCurve(answers([0.1, 0.9], [undefined, 0.2, 0.6, 0.7], 0.5))?.marked).toEqual({
      answerable: 0.5,
      none: 0.5,
    });
  });

  it('is absent where one kind is', () => {
    expect(confidenceCurve(answers([0.5], []))).toBeUndefined();
    expect(confidenceCurve(answers([], [0.5]))).toBeUndefined();
  });
});
