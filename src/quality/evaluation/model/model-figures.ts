import type { CaseKind, ModelChoice, ModelFigures } from '../../../model/index.ts';

/** What all decisions of a model say together. */
export function modelFigures(model: string, choices: readonly ModelChoice[]): ModelFigures {
  const kinds = [...new Set(choices.map(({ kind }) => kind))];
  return {
    model,
    cases: choices.length,
    right: shareRight(choices),
    kinds: Object.fromEntries(kinds.map((kind) => [kind, kindFigures(kind, choices)])),
    failed: choices.filter(({ verdict }) => verdict === 'failed').length,
    tokens: {
      input: sum(choices.map(({ tokens }) => tokens.input)),
      output: sum(choices.map(({ tokens }) => tokens.output)),
    },
    roundTrips: sum(choices.map(({ roundTrips }) => roundTrips)),
  };
}

function kindFigures(kind: CaseKind, choices: readonly ModelChoice[]) {
  const own = choices.filter((choice) => choice.kind === kind);
  return { cases: own.length, right: shareRight(own) };
}

function shareRight(choices: readonly ModelChoice[]): number {
  const finished = choices.filter(({ verdict }) => verdict !== 'failed');
  return finished.length === 0 ? 0 : finished.filter(({ verdict }) => verdict === 'right').length / finished.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
