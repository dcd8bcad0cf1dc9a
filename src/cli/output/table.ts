import pico from 'picocolors';
import type { TextOutput } from '../io.ts';
import { formatLines } from './lines.ts';
import { singleLine } from './plain-text.ts';

const gap = '  ';

/**
 * A table for people on a terminal (padded, with a header), tab-separated lines without a header in a pipe. Nothing is
 * cut: the last column is where reasons stand, so it goes on in the next line of a narrow terminal.
 */
export async function formatTable(
  headers: readonly string[],
  rows: readonly string[][],
  output: TextOutput,
): Promise<string> {
  if (!output.isTTY) return formatLines(rows);
  // Loaded here: its tables take 30 ms, and most commands draw none.
  const { default: widthOf } = await import('string-width');
  const cells = rows.map((row) => row.map(singleLine));
  if (cells.length === 0) return '';
  const widths = headers.map((header, column) => widest([header, ...cells.map((row) => row[column] ?? '')], widthOf));
  const dim = pico.createColors(output.color).dim;
  const lines = [dim(layOut(headers, widths, widthOf)), ...cells.map((row) => layOut(row, widths, widthOf))];
  return lines.map((line) => `${line}\n`).join('');
}

type WidthOf = (text: string) => number;

function layOut(row: readonly string[], widths: readonly number[], widthOf: WidthOf): string {
  return row
    .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
    .join(gap)
    .trimEnd();
}

function widest(cells: readonly string[], widthOf: WidthOf): number {
  return Math.max(...cells.map(widthOf));
}
