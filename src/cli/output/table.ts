import pico from 'picocolors';
import stringWidth from 'string-width';
import type { TextOutput } from '../io.ts';
import { singleLine } from './plain-text.ts';

const gap = '  ';

/**
 * A table for people on a terminal (padded, with a header), tab-separated lines without a header in a pipe. Nothing is
 * cut: the last column is where reasons stand, so it goes on in the next line of a narrow terminal.
 */
export function formatTable(headers: readonly string[], rows: readonly string[][], output: TextOutput): string {
  const cells = rows.map((row) => row.map(singleLine));
  if (!output.isTTY) return cells.map((row) => `${row.join('\t')}\n`).join('');
  if (cells.length === 0) return '';
  const widths = headers.map((header, column) => widest([header, ...cells.map((row) => row[column] ?? '')]));
  const dim = pico.createColors(output.color).dim;
  const lines = [dim(layOut(headers, widths)), ...cells.map((row) => layOut(row, widths))];
  return lines.map((line) => `${line}\n`).join('');
}

function layOut(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => pad(cell, widths[column] ?? 0))
    .join(gap)
    .trimEnd();
}

function widest(cells: readonly string[]): number {
  return Math.max(...cells.map((cell) => stringWidth(cell)));
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));
}
