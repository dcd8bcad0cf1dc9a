import type { AccuracyReport } from './accuracy-report.ts';
import { type Cutoff, cutoffs } from './score.ts';

/** A figure of a report by name, and which way is better. */
interface Measure {
  better: 'higher' | 'lower';
  of(report: AccuracyReport): number;
  /** Queries that it is a mean over. */
  queries(report: AccuracyReport): number;
}

const answerable = (report: AccuracyReport) => report.n;
const unanswerable = (report: AccuracyReport) => report.none.n;

const measures: Record<string, Measure> = {
  ...Object.fromEntries(
    cutoffs.flatMap((k): [string, Measure][] => [
      [`recall@${k}`, { better: 'higher', of: (report) => report.recall[k], queries: answerable }],
      [`hit@${k}`, { better: 'higher', of: (report) => report.hit[k], queries: answerable }],
    ]),
  ),
  'mrr@10': { better: 'higher', of: (report) => report.mrr10, queries: answerable },
  'ndcg@10': { better: 'higher', of: (report) => report.ndcg10, queries: answerable },
  'none.weak': { better: 'higher', of: (report) => report.none.weak, queries: unanswerable },
  'none.abstained': { better: 'higher', of: (report) => report.none.abstained, queries: unanswerable },
  weakAnswerable: { better: 'lower', of: (report) => report.weakAnswerable, queries: answerable },
  wronglyRefused: { better: 'lower', of: (report) => report.wronglyRefused, queries: answerable },
};

/** `recall@5/paraphrase`: recall in one category. */
const categoryMeasure = /^recall@(\d+)\/(.+)$/u;

/**
 * Finds a measure: `recall@1|3|5|10`, the same with `/category`, `hit@…`, `mrr@10`, `ndcg@10`, `none.weak`, `none.abstained`,
 * `weakAnswerable`, `wronglyRefused` (of the last two less is better). Undefined for other names; `of` is NaN where the
 * report lacks the category.
 */
export function findMeasure(name: string): Measure | undefined {
  const [, k, category] = categoryMeasure.exec(name) ?? [];
  if (category === undefined) return Object.hasOwn(measures, name) ? measures[name] : undefined;
  const cutoff = cutoffs.find((candidate) => String(candidate) === k);
  if (cutoff === undefined) return undefined;
  return {
    better: 'higher',
    of: (report) => categoryRecall(report, category, cutoff),
    queries: ({ byCategory }) => byCategory[category]?.n ?? 0,
  };
}

function categoryRecall({ byCategory }: AccuracyReport, category: string, cutoff: Cutoff): number {
  return byCategory[category]?.recall[cutoff] ?? Number.NaN;
}
