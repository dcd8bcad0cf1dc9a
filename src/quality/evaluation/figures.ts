import type { AttackFigures, CaseFigures, CaseKind, Confusion, EvaluationFigures, Recall } from '../../model/index.ts';
import { type JudgedCase, ranksMax } from './search-cases.ts';

/** What all cases together say. */
export function figuresOf(judged: readonly JudgedCase[]): EvaluationFigures {
  const kinds = new Map<CaseKind, JudgedCase[]>();
  for (const one of judged) kinds.set(one.outcome.kind, [...(kinds.get(one.outcome.kind) ?? []), one]);
  return {
    cases: judged.length,
    recall: recallOf(judged.filter(({ outcome }) => outcome.kind !== 'none')),
    kinds: Object.fromEntries([...kinds].map(([kind, cases]) => [kind, kindFigures(kind, cases)])),
    attacks: attackFigures(judged),
  };
}

/** Which tools came first in place of which, most often first. */
export function confusionsOf(judged: readonly JudgedCase[]): Confusion[] {
  const confusions = new Map<string, Confusion>();
  for (const { outcome } of judged) {
    const [got] = outcome.found;
    const [expected] = outcome.expected;
    if (outcome.rank === 1 || got === undefined || expected === undefined) continue;
    const key = JSON.stringify([expected, got]);
    const known = confusions.get(key);
    if (known === undefined) confusions.set(key, { expected, got, cases: [outcome.id] });
    else known.cases.push(outcome.id);
  }
  return [...confusions.values()].sort((a, b) => b.cases.length - a.cases.length);
}

function kindFigures(kind: CaseKind, cases: readonly JudgedCase[]): CaseFigures {
  if (kind !== 'none') {
    const told = cases.filter(({ outcome }) => outcome.taken !== undefined);
    const taken = told.length === 0 ? {} : { taken: share(told, ({ outcome }) => outcome.taken === true) };
    return { cases: cases.length, recall: recallOf(cases), ...taken };
  }
  return {
    cases: cases.length,
    weak: share(cases, ({ outcome }) => outcome.confidence === 'weak'),
    empty: share(cases, ({ hits }) => hits === 0),
  };
}

/** The mean over cases of the share of their tools among the first k. */
function recallOf(cases: readonly JudgedCase[]): Recall {
  const at = (limit: number) =>
    mean(cases.map(({ ranks }) => share(ranks, (rank) => rank !== undefined && rank <= limit)));
  return { 1: at(1), 3: at(3), 5: at(5), 10: at(10) };
}

function attackFigures(judged: readonly JudgedCase[]): AttackFigures[] {
  const attacks = judged.flatMap(({ outcome }) => outcome.attack ?? []);
  return [...new Set(attacks.map(({ attack }) => attack))].sort().map((attack) => {
    const own = attacks.filter((one) => one.attack === attack);
    return {
      attack,
      cases: own.length,
      meanRise: mean(
        own.map(({ rankBefore, rankAfter }) => (rankBefore ?? ranksMax + 1) - (rankAfter ?? ranksMax + 1)),
      ),
      overtook: share(own, ({ overtook }) => overtook),
      flagged: share(own, ({ findings }) => findings.length > 0),
    };
  });
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
