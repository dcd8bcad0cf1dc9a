import type { ServerSpec } from '../model/index.ts';

/** Shortest configured value that is hidden in messages: shorter ones are words like `true` and would black out prose. */
const secretMinLength = 6;

/** `text` on one line, at most `maxLength` characters. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

/** Message of a server without what follows the first line of a stack trace. */
export function withoutStack(text: string): string {
  const stack = text.search(/\n\s+at\s/);
  return stack === -1 ? text : text.slice(0, stack);
}

/**
 * Hides `secrets` and the values of a server's env and headers, which may come back in what the server prints or
 * answers.
 */
export function secretHider({ transport }: ServerSpec, secrets: readonly string[] = []): (text: string) => string {
  const values = Object.values(transport.kind === 'stdio' ? transport.env : transport.headers);
  const parts = [...secrets, ...values].flatMap((value) => [value, ...value.split(/\s+/)]);
  const hidden = [...new Set(parts)].filter((part) => part.length >= secretMinLength).sort(byLengthDescending);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function byLengthDescending(a: string, b: string): number {
  return b.length - a.length;
}
