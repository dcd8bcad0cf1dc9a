import type { OverheadReport } from '../commands/overhead.ts';
import type { SpeedReport } from '../commands/speed.ts';
import type { Shortfall } from '../suites/check-expected.ts';
import type { ArmResult } from '../suites/run-suite.ts';

/** One JSON object, or a line a figure. */
export function printReport(report: object, asJson: boolean | undefined): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  for (const [key, value] of Object.entries(report)) {
    process.stdout.write(`${key.padEnd(22)} ${typeof value === 'object' ? JSON.stringify(value) : value}\n`);
  }
}

/** An arm on a set, while a suite runs. */
export function resultLine({ set, arm, n, recall, ci95, latencyMs }: ArmResult): string {
  const [low, high] = ci95.recall5.map(threePlaces);
  return `${set.padEnd(16)} ${arm.padEnd(11)} n ${String(n).padStart(5)}  recall@1 ${threePlaces(recall[1])}  recall@5 ${threePlaces(recall[5])} [${low}, ${high}]  p95 ${latencyMs.p95.toFixed(1)} ms`;
}

export function speedLine({ tools, searchMs, ingestMs, rssMb }: SpeedReport): string {
  return `${tools} tools: ingest ${Math.round(ingestMs)} ms, p95 hybrid ${searchMs.hybrid.p95.toFixed(1)} lexical ${searchMs.lexical.p95.toFixed(1)} fts5 ${searchMs.fts5.p95.toFixed(1)} ms, ${Math.round(rssMb)} MB resident`;
}

/** A line for each way, milliseconds in columns. */
export function overheadTable({ n, ...ways }: OverheadReport): string {
  const head = `${`${n} calls, ms`.padEnd(18)}${['p50', 'p95', 'p99'].map((name) => name.padStart(9)).join('')}`;
  const lines = Object.entries(ways).map(
    ([way, { p50, p95, p99 }]) => `${way.padEnd(18)}${[p50, p95, p99].map((ms) => ms.toFixed(3).padStart(9)).join('')}`,
  );
  return `${[head, ...lines].join('\n')}\n`;
}

export function shortfallLine({ set, arm, measure, expected, actual }: Shortfall): string {
  const was = Number.isNaN(actual) ? 'was not measured' : `is ${threePlaces(actual)}`;
  return `FELL: ${set}, ${arm}: ${measure} ${was}, expected ${threePlaces(expected)}`;
}

function threePlaces(value: number): string {
  return value.toFixed(3);
}
