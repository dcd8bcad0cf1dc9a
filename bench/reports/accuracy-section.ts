import type { RecallByGroup } from '../metrics/accuracy-report.ts';
import { mean } from '../metrics/score.ts';
import type { ArmResult, SuiteResult } from '../suites/run-suite.ts';
import { shareText, table } from './table.ts';

/** Everything about ranking quality in one suite: means, each set, its categories and languages, losses, confidence. */
export function accuracySection({ suite, results }: SuiteResult): string {
  const sets = bySet(results);
  return [
    `## Accuracy: suite ${suite}`,
    ...(sets.size > 1 ? ['Mean over the sets, each with the same weight:', meanTable(results)] : []),
    `![recall@5 of each arm on each set](reports/${suite}-recall5.svg)`,
    ...[...sets].flatMap(([set, arms]) => setParts(set, arms)),
    '### Where we lose',
    lossesText(sets),
    ...confidenceParts(suite, results),
  ].join('\n\n');
}

export function bySet(results: readonly ArmResult[]): Map<string, ArmResult[]> {
  const sets = new Map<string, ArmResult[]>();
  for (const result of results) sets.set(result.set, [...(sets.get(result.set) ?? []), result]);
  return sets;
}

function meanTable(results: readonly ArmResult[]): string {
  const arms = [...new Set(results.map(({ arm }) => arm))];
  const rows = arms.map((arm) => {
    const own = results.filter((result) => result.arm === arm);
    const figures = [
      own.map(({ recall }) => recall[1]),
      own.map(({ recall }) => recall[5]),
      own.map(({ hit }) => hit[1]),
      own.map(({ hit }) => hit[5]),
      own.map(({ mrr10 }) => mrr10),
      own.map(({ ndcg10 }) => ndcg10),
    ];
    return [arm, ...figures.map((values) => shareText(mean(values)))];
  });
  return table(['arm', 'recall@1', 'recall@5', 'hit@1', 'hit@5', 'MRR@10', 'NDCG@10'], rows);
}

function setParts(set: string, arms: readonly ArmResult[]): string[] {
  const [first] = arms;
  if (first === undefined) return [];
  const categories = Object.keys(first.byCategory);
  const languages = Object.keys(first.byLang);
  return [
    `### ${set}`,
    `${first.tools} tools, ${first.n} answerable queries${first.none.n > 0 ? `, ${first.none.n} that no tool fits` : ''}.`,
    table(
      ['arm', 'recall@1', 'recall@5', '95 %', 'recall@10', 'hit@1', 'hit@5', 'MRR@10', 'NDCG@10', 'p95 ms'],
      arms.map(armRow),
    ),
    ...(categories.length > 1 ? [groupTable('category', arms, ({ byCategory }) => byCategory)] : []),
    ...(languages.length > 1 ? [groupTable('language', arms, ({ byLang }) => byLang)] : []),
  ];
}

function armRow({ arm, recall, hit, mrr10, ndcg10, ci95, latencyMs }: ArmResult): string[] {
  const interval = ci95.recall5.map(shareText).join('–');
  const figures = [recall[10], hit[1], hit[5], mrr10, ndcg10].map(shareText);
  return [arm, shareText(recall[1]), shareText(recall[5]), interval, ...figures, latencyMs.p95.toFixed(1)];
}

/** recall@1 / recall@5 of each arm in each group of queries. */
function groupTable(title: string, arms: readonly ArmResult[], pick: (result: ArmResult) => RecallByGroup): string {
  const groups = Object.entries(pick(arms[0] as ArmResult));
  const rows = groups.map(([group, { n }]) => [
    `${group} (${n})`,
    ...arms.map((result) => {
      const recall = pick(result)[group]?.recall;
      return recall === undefined ? '' : `${shareText(recall[1])} / ${shareText(recall[5])}`;
    }),
  ]);
  return table([`${title}: recall@1 / @5`, ...arms.map(({ arm }) => arm)], rows);
}

interface Loss {
  where: string;
  n: number;
  measure: string;
  hybrid: number;
  other: string;
  otherValue: number;
}

/** Differences below this are one query more or less in all but the largest sets. */
const lossMin = 0.005;

function lossesText(sets: ReadonlyMap<string, readonly ArmResult[]>): string {
  const losses = [...sets].flatMap(([set, arms]) => lossesOf(set, arms));
  if (losses.length === 0) return 'No other arm beats hybrid on any set or category by half a point.';
  const rows = losses
    .sort((a, b) => b.otherValue - b.hybrid - (a.otherValue - a.hybrid))
    .map(({ where, n, measure, hybrid, other, otherValue }) => [
      where,
      String(n),
      measure,
      shareText(hybrid),
      `${shareText(otherValue)} ${other}`,
      shareText(otherValue - hybrid),
    ]);
  return [
    'Sets and categories in which another arm is half a point or more above hybrid, widest gap first. A category of 20 queries moves by .05 with one query.',
    table(['set', 'queries', 'measure', 'hybrid', 'best other', 'behind'], rows),
  ].join('\n\n');
}

function lossesOf(set: string, arms: readonly ArmResult[]): Loss[] {
  const hybrid = arms.find(({ arm }) => arm === 'hybrid');
  if (hybrid === undefined) return [];
  const others = arms.filter((result) => result !== hybrid);
  const compare = (where: string, n: number, k: 1 | 5, of: (result: ArmResult) => number | undefined): Loss[] => {
    const own = of(hybrid) ?? 0;
    const best = others
      .map((result) => ({ arm: result.arm, value: of(result) ?? 0 }))
      .sort((a, b) => b.value - a.value)[0];
    if (best === undefined || best.value - own < lossMin) return [];
    return [{ where, n, measure: `recall@${k}`, hybrid: own, other: best.arm, otherValue: best.value }];
  };
  const categories = Object.entries(hybrid.byCategory);
  return ([1, 5] as const).flatMap((k) => [
    ...compare(set, hybrid.n, k, ({ recall }) => recall[k]),
    ...(categories.length > 1 ? categories : []).flatMap(([category, { n }]) =>
      compare(`${set} / ${category}`, n, k, ({ byCategory }) => byCategory[category]?.recall[k]),
    ),
  ]);
}

function confidenceParts(suite: string, results: readonly ArmResult[]): string[] {
  const judged = results.filter(({ confidenceCurve }) => confidenceCurve !== undefined);
  if (judged.length === 0) return [];
  const rows = judged.map(({ set, arm, confidenceCurve, none, wronglyRefused }) => [
    `${set}, ${arm}`,
    shareText(confidenceCurve?.auc ?? 0),
    ...(none.weak > 0 || none.abstained > 0 || confidenceCurve?.marked.answerable
      ? [shareText(confidenceCurve?.marked.none ?? 0), shareText(confidenceCurve?.marked.answerable ?? 0)]
      : ['–', '–']),
    shareText(none.abstained),
    shareText(wronglyRefused),
  ]);
  return [
    '### Queries that no tool fits',
    'AUC: chance that such a query has a lower best score than one that can be answered (.5 is guessing). Marked: weak, or nothing returned.',
    table(
      ['set, arm', 'AUC of best score', 'marked, no tool fits', 'marked, answerable', 'abstained', 'wrongly refused'],
      rows,
    ),
    ...[...new Set(judged.map(({ set }) => set))].map(
      (set) => `![share marked of both kinds on ${set}](reports/${suite}-${set}-confidence.svg)`,
    ),
  ];
}
