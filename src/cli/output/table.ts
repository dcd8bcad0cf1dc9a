import pico from 'picocolors';
import stringWidth from 'string-width';
import type { TextOutput } from '../io.ts';
import { singleLine } from './plain-text.ts';

const gap = '  ';
/** A cut cell keeps at least this much, however narrow the terminal is. */
const lastColumnMinWidth = 20;

/**
 * A table for people on a terminal (padded, with a header, the last column cut to the width), tab-separated lines
 * without a header in a pipe.
 */
export function formatTable(headers: readonly string[], rows: readonly string[][], output: TextOutput): string {
  const cells = rows.map((row) => row.map(singleLine));
  if (!output.isTTY) return cells.map((row) => `${row.join('\t')}\n`).join('');
  if (cells.length === 0) return '';
  const widths = headers.map((header, column) => widest([header, ...cells.map((row) => row[column] ?? '')]));
  const dim = pico.createColors(output.color).dim;
  const header = dim(layOut(headers, widths, output.columns));
  return [header, ...cells.map((row) => layOut(row, widths, output.columns))].map((line) => `${line}\n`).join('');
}

function layOut(row: readonly string[], widths: readonly number[], columns: number): string {
  const padded = row.slice(0, -1).map((cell, column) => pad(cell, widths[column] ?? 0));
  const used = padded.reduce((sum, cell) => sum + stringWidth(cell) + gap.length, 0);
  const last = cutToWidth(row.at(-1) ?? '', Math.max(columns - used, lastColumnMinWidth));
  return [...padded, last].join(gap).trimEnd();
}

function widest(cells: readonly string[]): number {
  return Math.max(...cells.map((cell) => stringWidth(cell)));
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));
}

/** Cuts between characters as people see them. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    cut += segment;
  }
  return `${cut}…`;
}
