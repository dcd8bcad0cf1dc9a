import type { SpeedReport } from '../commands/speed.ts';
import { table } from './table.ts';

export function speedSection(reports: readonly SpeedReport[]): string {
  return [
    '## Speed',
    table(
      ['tools', ...reports.map(({ tools }) => tools.toLocaleString('en-US'))],
      rows.map(([label, figure]) => [label, ...reports.map(figure)]),
    ),
    '![search latency by size of catalog](reports/speed-latency.svg)',
    'Times in milliseconds, each query once, after a thousand other searches. FTS5: plain SQLite FTS5 in a file, the same tools and text, stop words dropped from the query, in the same run. Where vectors were made up, embedding went on for a minute and the rest were made from real ones: what a search costs is real, what it finds means nothing.',
  ].join('\n\n');
}

const rows: [string, (report: SpeedReport) => string][] = [
  ['hybrid p50 / p95 / p99', ({ searchMs }) => latencyText(searchMs.hybrid)],
  ['lexical p50 / p95 / p99', ({ searchMs }) => latencyText(searchMs.lexical)],
  ['plain FTS5 p50 / p95 / p99', ({ searchMs }) => latencyText(searchMs.fts5)],
  ['first search of a new process', ({ coldFirstSearchMs }) => wholeText(coldFirstSearchMs)],
  ['ingest, searchable by keyword', ({ ingestMs }) => wholeText(ingestMs)],
  ['ingest again, unchanged', ({ reingestUnchangedMs }) => wholeText(reingestUnchangedMs)],
  ['vectors a second', ({ vectorsPerSecond }) => wholeText(vectorsPerSecond)],
  ['event loop held up at most, ingest', ({ eventLoopMaxMs }) => wholeText(eventLoopMaxMs)],
  ['event loop held up at most, embedding', ({ settleEventLoopMaxMs }) => wholeText(settleEventLoopMaxMs)],
  ['resident memory, MB', ({ rssMb }) => wholeText(rssMb)],
  ['catalog file, MB', ({ catalogMb }) => wholeText(catalogMb)],
  ['vectors made up, %', ({ madeUpVectors }) => wholeText(100 * madeUpVectors)],
];

function latencyText({ p50, p95, p99 }: { p50: number; p95: number; p99: number }): string {
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(' / ');
}

function wholeText(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
