import type { Answer } from './answers.ts';
import { round } from './score.ts';

/**
 * How well the score of the best hit tells queries that no tool fits from those that can be answered. A threshold on it
 * marks some share of each as weak; the curve is that trade for every threshold.
 */
export interface ConfidenceCurve {
  /** Chance that an unanswerable query scores lower than an answerable one; .5 is guessing. */
  auc: number;
  /** `[share of answerable marked, share of unanswerable marked]`, both rising from 0 to 1. */
  points: [number, number][];
  /** What the arm itself marks as weak or answers with nothing. */
  marked: { answerable: number; none: number };
}

/** Steps of the curve that are kept. */
const steps = 40;

/** Undefined where every query is answerable, or none is. */
export function confidenceCurve(answers: readonly Answer[]): ConfidenceCurve | undefined {
  const answerable = answers.filter(({ score }) => score !== undefined);
  const none = answers.filter(({ score }) => score === undefined);
  if (answerable.length === 0 || none.length === 0) return undefined;
  const good = answerable.map(topScoreOf).sort((a, b) => a - b);
  const bad = none.map(topScoreOf).sort((a, b) => a - b);
  return {
    auc: round(areaUnderCurve(good, bad)),
    points: Array.from({ length: steps + 1 }, (_, step) => {
      const share = step / steps;
      const threshold = step === steps ? Number.POSITIVE_INFINITY : (good[Math.floor(share * good.length)] as number);
      return [round(shareBelow(good, threshold)), round(shareBelow(bad, threshold))];
    }),
    marked: { answerable: markedShare(answerable), none: markedShare(none) },
  };
}

/** An empty answer is the least confident one. */
function topScoreOf({ topScore }: Answer): number {
  return topScore ?? Number.MIN_SAFE_INTEGER;
}

function areaUnderCurve(good: readonly number[], bad: readonly number[]): number {
  const wins = bad.map((low) => good.reduce((sum, high) => sum + (high > low ? 1 : high === low ? 0.5 : 0), 0));
  return wins.reduce((sum, win) => sum + win, 0) / (good.length * bad.length);
}

function shareBelow(values: readonly number[], threshold: number): number {
  return values.filter((value) => value < threshold).length / values.length;
}

function markedShare(answers: readonly Answer[]): number {
  return round(answers.filter(({ isWeak, isEmpty }) => isWeak || isEmpty).length / answers.length);
}
