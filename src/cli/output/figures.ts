/** `2,514`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `340 ms`, `1.2 s`. */
export function formatDuration(durationMs: number): string {
  return durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
}

/** `1 server`, `2 servers`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
