import type { ArmName } from '../arms/index.ts';
import type { SpeedReport } from '../commands/speed.ts';
import type { ArmResult, SuiteResult } from '../suites/run-suite.ts';
import { bySet } from './accuracy-section.ts';
import { dotPlot } from './dot-plot.ts';
import { type Axis, lineChart } from './line-chart.ts';
import { armColors } from './svg.ts';

/** File names with their pictures, as the sections refer to them. */
export type Plots = Record<string, string>;

export function accuracyPlots({ suite, results }: SuiteResult): Plots {
  const rows = [...bySet(results)].map(([set, arms]) => ({
    label: set,
    values: arms.map(({ arm, recall, ci95 }) => ({
      label: arm,
      color: colorOf(arm),
      value: recall[5],
      interval: ci95.recall5,
    })),
  }));
  const plots: Plots = { [`${suite}-recall5.svg`]: dotPlot('recall@5 with 95 % intervals', rows) };
  for (const [set, arms] of bySet(results)) {
    const judged = arms.filter(({ confidenceCurve }) => confidenceCurve !== undefined);
    if (judged.length > 0) plots[`${suite}-${set}-confidence.svg`] = confidencePlot(set, judged);
  }
  return plots;
}

export function speedPlots(reports: readonly SpeedReport[]): Plots {
  const sizes = reports.map(({ tools }) => tools);
  const times = reports.flatMap(({ searchMs }) => Object.values(searchMs).map(({ p95 }) => p95));
  const axes = { x: logAxis('tools', sizes), y: logAxis('p95, ms', times) };
  const series = (['hybrid', 'lexical', 'fts5'] as const).map((arm) => ({
    label: arm,
    color: armColors[arm],
    points: reports.map(({ tools, searchMs }) => [tools, searchMs[arm].p95] as const),
  }));
  return { 'speed-latency.svg': lineChart('Search latency by size of catalog', axes, series) };
}

function confidencePlot(set: string, arms: readonly ArmResult[]): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const axis = (label: string): Axis => ({ label, scale: 'linear', min: 0, max: 1, ticks });
  return lineChart(
    `${set}: what a threshold on the best score would mark as weak`,
    { x: axis('share of answerable queries marked'), y: axis('share of queries that no tool fits marked') },
    arms.map(({ arm, confidenceCurve }) => {
      const marked = confidenceCurve?.marked;
      const isJudging = marked !== undefined && marked.none > 0;
      return {
        label: arm,
        color: colorOf(arm),
        points: confidenceCurve?.points ?? [],
        ...(isJudging ? { mark: [marked.answerable, marked.none] as const } : {}),
      };
    }),
  );
}

/** From the power of ten below the least value to that above the greatest. */
function logAxis(label: string, values: readonly number[]): Axis {
  const from = Math.floor(Math.log10(Math.max(1e-3, Math.min(...values))));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1e-3, ...values))));
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step));
  return { label, scale: 'log', min: 10 ** from, max: 10 ** to, ticks };
}

function colorOf(arm: string): string {
  return armColors[arm as ArmName];
}
