import { type FeatureName, featureNames } from '../../src/search/training.ts';
import { mean, scoreQuery } from '../metrics/score.ts';
import type { Arm, Weights } from './arms.ts';
import type { CollectedQuery, CollectedSet } from './collect.ts';

/** Recall of one set by arm. */
export type SetFigures = Record<Arm, { recall1: number; recall5: number; hit5: number }>;

/** How well weights rank the candidates of each set. */
export function figuresOf(
  sets: readonly CollectedSet[],
  weightsFor: (query: CollectedQuery) => Weights,
): Record<string, SetFigures> {
  return Object.fromEntries(sets.map((set) => [set.name, setFigures(set, weightsFor)]));
}

function setFigures({ queries }: CollectedSet, weightsFor: (query: CollectedQuery) => Weights): SetFigures {
  const answerable = queries.filter(({ groups }) => groups.length > 0);
  const figures = (arm: Arm) => {
    const scores = answerable.map((query) => scoreQuery(ranked(query, weightsFor(query)[arm]), query.groups));
    return {
      recall1: round(mean(scores.map(({ recall }) => recall[1]))),
      recall5: round(mean(scores.map(({ recall }) => recall[5]))),
      hit5: round(mean(scores.map(({ hit }) => hit[5]))),
    };
  };
  return { hybrid: figures('hybrid'), lexical: figures('lexical'), embedding: figures('embedding') };
}

/** Labels of the candidates, best first. */
export function ranked(
  { candidates, features }: CollectedQuery,
  weights: Partial<Record<FeatureName, number>>,
): string[] {
  const w = featureNames.map((name) => weights[name] ?? 0);
  const scores = features.map((row) => row.reduce((sum, value, index) => sum + value * (w[index] as number), 0));
  return candidates
    .map((label, index) => ({ label, score: scores[index] as number }))
    .sort((a, b) => b.score - a.score)
    .map(({ label }) => label);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
