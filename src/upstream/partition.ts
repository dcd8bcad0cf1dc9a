import { createHash } from 'node:crypto';
import type { ServerTransport } from '../model/index.ts';

/** 128 bits: two credentials never share a partition by chance. */
const partitionChars = 32;

/**
 * The partition of the catalog that private lists go to (MCP 2026-07-28, "Caching": they are not shared across
 * authorization contexts): a hash over the credentials in use, that is the values of env variables or headers, and the
 * login, which stays the same while its tokens are renewed.
 */
export function partitionOf(transport: ServerTransport, loginId: string | undefined): string {
  const values = transport.kind === 'stdio' ? transport.env : lowerCaseKeys(transport.headers);
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([entries, loginId ?? null]))
    .digest('hex')
    .slice(0, partitionChars);
}

function lowerCaseKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
