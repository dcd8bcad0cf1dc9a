import { isJsonObject, steadyNow } from '../model/index.ts';
import { fault } from './faults.ts';
import type { UpstreamLimits } from './limits.ts';
import { isProtocolError } from './sdk.ts';
import type { Session } from './session.ts';
import { rawResult } from './tap-transport.ts';

/** A list as the server sent it. */
export interface ListedTools {
  rawTools: unknown[];
  /** Until the first of its pages expires; 0 when the server says nothing of use, absent when it says nothing at all. */
  ttlMs?: number;
  /** True when any page may be shown to those alone who have the credentials it was fetched with. */
  isPrivate: boolean;
}

export interface ListOptions {
  serverId: string;
  /** Milliseconds since the epoch by which all pages must be there. */
  deadline: number;
  limits: Pick<UpstreamLimits, 'listMaxPages' | 'listMaxTools' | 'listMaxAgeMs'>;
  signal: AbortSignal;
}

/** JSON-RPC "Invalid params": on a later page, the cursor is no longer good. */
const invalidParams = -32602;

/** A list that changes faster than it can be read is given up after so many starts. */
const maxStarts = 3;

/**
 * All pages of `tools/list` (MCP "Pagination": cursors are opaque, also the empty one). Starts over when a cursor is
 * refused midway, since the pages before it belong to another list. Throws errors of the SDK, and `upstream_error`
 * for a list without end and for a cursor that is no string.
 */
export async function listTools(session: Session, options: ListOptions): Promise<ListedTools> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await walk(session, options);
    } catch (error) {
      if (!(error instanceof CursorRefused)) throw error;
      if (starts === maxStarts) throw error.cause;
    }
  }
}

class CursorRefused extends Error {
  override readonly name = 'CursorRefused';
}

async function walk(session: Session, options: ListOptions): Promise<ListedTools> {
  const { serverId, limits } = options;
  const rawTools: unknown[] = [];
  const pages: CachePage[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(session, cursor, options);
    for (const tool of page.tools) rawTools.push(tool);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor !== undefined && seen.has(cursor)) throw endless(serverId, `the cursor of page ${seen.size} came twice`);
    if (cursor !== undefined) seen.add(cursor);
    if (seen.size >= limits.listMaxPages) throw endless(serverId, `it has more than ${limits.listMaxPages} pages`);
    if (rawTools.length > limits.listMaxTools) throw endless(serverId, `it has over ${limits.listMaxTools} tools`);
  } while (cursor !== undefined);
  return { rawTools, ...freshness(pages, limits.listMaxAgeMs), isPrivate: isPrivate(pages, session) };
}

type CachePage = Pick<Page, 'ttlMs' | 'cacheScope'>;

/** A page without `ttlMs`, or with 0, is as fresh as `maxAgeMs` allows (MCP 2026-07-28, "Caching"). */
function freshness(pages: readonly CachePage[], maxAgeMs: number): { ttlMs?: number } {
  if (pages.every(({ ttlMs }) => ttlMs === undefined)) return {};
  if (pages.every(({ ttlMs = 0 }) => ttlMs === 0)) return { ttlMs: 0 };
  return { ttlMs: Math.min(...pages.map(({ ttlMs = 0 }) => (ttlMs === 0 ? maxAgeMs : ttlMs))) };
}

/** Older revisions know no scope, and a list without one counts as everybody's; from 2026-07-28 on as one's own. */
function isPrivate(pages: readonly CachePage[], { era }: Session): boolean {
  return pages.some(({ cacheScope }) => (era.era === 'modern' ? cacheScope !== 'public' : cacheScope === 'private'));
}

interface Page {
  tools: unknown[];
  nextCursor?: string;
  ttlMs?: number;
  cacheScope?: string;
}

async function fetchPage(session: Session, cursor: string | undefined, options: ListOptions): Promise<Page> {
  const params = cursor === undefined ? {} : { params: { cursor } };
  try {
    const result = await session.client.request(
      { method: 'tools/list', ...params },
      { timeout: Math.max(1, options.deadline - steadyNow()), signal: options.signal },
    );
    return pageOf(rawResult(result), options.serverId);
  } catch (error) {
    const isRefused = cursor !== undefined && isProtocolError(error) && error.code === invalidParams;
    throw isRefused ? new CursorRefused(error.message, { cause: error }) : error;
  }
}

function pageOf(raw: unknown, serverId: string): Page {
  if (!isJsonObject(raw) || !Array.isArray(raw.tools)) {
    throw fault('upstream_error', `Server "${serverId}" answered tools/list without a list of tools.`, {
      serverId,
      mayHaveRun: false,
    });
  }
  const { tools, nextCursor, ttlMs, cacheScope } = raw;
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') {
    // Taken as the end of the list, it would remove the tools of all further pages.
    const what = Array.isArray(nextCursor) ? 'an array' : `of type ${typeof nextCursor}`;
    throw fault(
      'upstream_error',
      `Server "${serverId}" gave a cursor for the next page of its tools that is ${what}, not a string.`,
      { serverId, mayHaveRun: false },
    );
  }
  return {
    tools,
    ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
    ...(typeof ttlMs === 'number' && Number.isFinite(ttlMs) ? { ttlMs: Math.max(0, ttlMs) } : {}),
    ...(typeof cacheScope === 'string' ? { cacheScope } : {}),
  };
}

function endless(serverId: string, why: string): Error {
  return fault('upstream_error', `The tool list of server "${serverId}" does not end: ${why}.`, {
    serverId,
    mayHaveRun: false,
  });
}
