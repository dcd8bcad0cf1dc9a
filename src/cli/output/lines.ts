import { singleLine } from './plain-text.ts';

/** Tab-separated lines without a header, for a pipe. */
export function formatLines(rows: readonly string[][]): string {
  return rows.map((row) => `${row.map(singleLine).join('\t')}\n`).join('');
}
