import { isProductArm } from '../arms/index.ts';
import type { AccuracyReport } from '../metrics/accuracy-report.ts';
import { findMeasure } from '../metrics/measures.ts';
import type { Suite } from './suite.ts';

/** A figure that is worse than expected by more than is allowed. `actual` is NaN where it was not measured at all. */
export interface Shortfall {
  set: string;
  arm: string;
  measure: string;
  expected: number;
  actual: number;
}

/**
 * Every figure that fell too far: by more than the suite's tolerance and by more than one query of those it is a mean over. A
 * near tie that falls the other way on another processor must not fail a category of twenty.
 */
export function checkExpected({ expected, tolerance }: Suite, reports: readonly AccuracyReport[]): Shortfall[] {
  return Object.entries(expected).flatMap(([set, byArm]) =>
    Object.entries(byArm).flatMap(([arm, figures]) => {
      const report = reports.find((candidate) => candidate.set === set && candidate.arm === arm);
      return Object.entries(figures).flatMap(([measure, figure]) => {
        const actual = report === undefined ? Number.NaN : measured(report, measure);
        const gain = findMeasure(measure)?.better === 'lower' ? figure - actual : actual - figure;
        const allowed = Math.max(tolerance, report === undefined ? 0 : oneQuery(report, measure));
        // NaN fails as well.
        return gain >= -allowed - roundingMargin ? [] : [{ set, arm, measure, expected: figure, actual }];
      });
    }),
  );
}

/** Expected figures have three places, measured ones four. */
const roundingMargin = 0.0005;

function measured(report: AccuracyReport, measure: string): number {
  return findMeasure(measure)?.of(report) ?? Number.NaN;
}

function oneQuery(report: AccuracyReport, measure: string): number {
  return 1 / Math.max(1, findMeasure(measure)?.queries(report) ?? 1);
}

/** Taken where a set and arm has no expectation yet. */
const usualMeasures = ['recall@1', 'recall@5', 'mrr@10'];
const measuresWithNone = ['none.weak', 'weakAnswerable', 'wronglyRefused'];

/**
 * The suite with what was just measured as its expectation: the measures it names already, or the usual ones. Comparison
 * arms are left out: what they score is not ours to hold.
 */
export function withExpected(suite: Suite, reports: readonly AccuracyReport[]): Suite {
  const expected: Suite['expected'] = {};
  for (const report of reports) {
    const arm = suite.arms.find((name) => name === report.arm);
    if (arm === undefined || !isProductArm(arm)) continue;
    const known = suite.expected[report.set]?.[arm];
    const names = known ? Object.keys(known) : [...usualMeasures, ...(report.none.n > 0 ? measuresWithNone : [])];
    const figures = names.map((name) => [name, roundForFile(measured(report, name))]);
    expected[report.set] = { ...expected[report.set], [arm]: Object.fromEntries(figures) };
  }
  return { ...suite, expected };
}

function roundForFile(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
