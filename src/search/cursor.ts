import { createHash } from 'node:crypto';
import { ToolcribError } from '../errors/index.ts';

/** What a page belongs to: the same query over the same catalog. */
export interface CursorScope {
  query: string;
  server: string | undefined;
  arm: string;
  /** The key of the view that was searched; empty for the whole catalog. */
  view: string;
  generation: number;
}

/** An opaque cursor for the hits from `offset` on. */
export function encodeCursor(scope: CursorScope, offset: number): string {
  return Buffer.from(`${fingerprint(scope)}.${offset}`).toString('base64url');
}

/**
 * The offset in a cursor that `encodeCursor` made for the same scope.
 *
 * @throws ToolcribError `invalid_cursor` for anything else, also when the catalog has changed since.
 */
export function decodeCursor(scope: CursorScope, cursor: string): number {
  const [hash, offset] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (offset === undefined || !/^\d{1,6}$/.test(offset)) {
    throw new ToolcribError('invalid_cursor', `The cursor ${JSON.stringify(cursor.slice(0, 80))} is not one of ours.`);
  }
  if (hash !== fingerprint(scope)) {
    throw new ToolcribError('invalid_cursor', 'The cursor belongs to another query, or the catalog has changed since.');
  }
  return Number(offset);
}

function fingerprint({ query, server, arm, view, generation }: CursorScope): string {
  return createHash('sha256')
    .update(JSON.stringify([query, server, arm, view, generation]))
    .digest('base64url')
    .slice(0, 16);
}
