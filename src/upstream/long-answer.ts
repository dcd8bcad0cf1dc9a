import type { LongLine } from './line-splitter.ts';

const id = '"id"\\s*:\\s*("[^"\\\\]*"|\\d+)';
const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
/** Where programs write the id of an answer: before the result or after it, beside the version. */
const first = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,`);
const last = new RegExp(`,\\s*${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`);

/** The id of the request that a message too long to be read answers; undefined where its two ends do not say. */
export function answeredBy({ head, tail }: Pick<LongLine, 'head' | 'tail'>): string | number | undefined {
  // A request of the server, whose id is its own.
  if (/^\s*\{\s*(?:"[a-z]+"\s*:\s*(?:"[^"\\]*"|\d+)\s*,\s*)*"method"\s*:/.test(head)) return undefined;
  const found = (first.exec(head) ?? last.exec(tail))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}
