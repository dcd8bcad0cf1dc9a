import { ToolcribError } from '../../errors/index.ts';
import {
  type BaselineDifference,
  type CaseOutcome,
  type EvaluationBaseline,
  type EvaluationFigures,
  type EvaluationReport,
  isJsonObject,
  type Recall,
} from '../../model/index.ts';

/** What a later run is compared with. */
export function toBaseline({ cases, recall, kinds, attacks, model, outcomes }: EvaluationReport): EvaluationBaseline {
  const { choices: _choices, ...modelFigures } = model ?? { choices: [] };
  return {
    baselineVersion: 1,
    figures: { cases, recall, kinds, attacks },
    ...(model === undefined ? {} : { model: modelFigures as EvaluationBaseline['model'] & object }),
    ranks: ranksOf(outcomes),
  };
}

/** What is different from an earlier run. Throws `cases_invalid` for what is no baseline. */
export function compareBaseline(
  baseline: unknown,
  { recall }: EvaluationFigures,
  outcomes: readonly CaseOutcome[],
): BaselineDifference {
  const { figures, ranks } = readBaseline(baseline);
  const now = ranksOf(outcomes);
  const both = Object.keys(now).filter((id) => Object.hasOwn(ranks, id));
  const moved = both
    .map((id) => ({ id, before: ranks[id] ?? 0, after: now[id] ?? 0 }))
    .filter(({ before, after }) => before !== after);
  const isBetter = ({ before, after }: { before: number; after: number }) =>
    after !== 0 && (before === 0 || after < before);
  return {
    recall: difference(recall, figures.recall),
    better: moved.filter(isBetter),
    worse: moved.filter((one) => !isBetter(one)),
    added: Object.keys(now).filter((id) => !Object.hasOwn(ranks, id)),
    removed: Object.keys(ranks).filter((id) => !Object.hasOwn(now, id)),
  };
}

/** Of cases that expect a tool. */
function ranksOf(outcomes: readonly CaseOutcome[]): Record<string, number> {
  const ranked = outcomes.filter(({ kind }) => kind !== 'none');
  return Object.fromEntries(ranked.map(({ id, rank }) => [id, rank ?? 0]));
}

function difference(now: Recall, then: Recall): Recall {
  return { 1: now[1] - then[1], 3: now[3] - then[3], 5: now[5] - then[5], 10: now[10] - then[10] };
}

function readBaseline(value: unknown): EvaluationBaseline {
  const isBaseline =
    isJsonObject(value) &&
    value.baselineVersion === 1 &&
    isJsonObject(value.figures) &&
    isJsonObject(value.figures.recall) &&
    ['1', '3', '5', '10'].every(
      (at) => typeof ((value.figures as { recall: object }).recall as Record<string, unknown>)[at] === 'number',
    ) &&
    isJsonObject(value.ranks) &&
    Object.values(value.ranks).every((rank) => typeof rank === 'number');
  if (isBaseline) return value as unknown as EvaluationBaseline;
  throw new ToolcribError('cases_invalid', 'The baseline was not written by `toolcrib eval --write-baseline`.', {
    next: 'Write it anew with --write-baseline.',
  });
}
