/** A Markdown table; columns after the first are figures and stand right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, index) => (index === 0 ? '---' : '--:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A share without its leading zero: `.791`. */
export function shareText(value: number): string {
  return value.toFixed(3).replace(/^(-?)0\./u, '$1.');
}
