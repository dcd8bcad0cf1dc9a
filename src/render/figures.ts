/** `2,514`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 server`, `2 servers`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
