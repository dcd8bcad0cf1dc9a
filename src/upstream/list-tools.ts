import { isJsonObject } from '../model/index.ts';
import { fault } from './faults.ts';
import type { UpstreamLimits } from './limits.ts';
import { isProtocolError } from './sdk.ts';
import type { Session } from './session.ts';
import { rawResult } from './tap-transport.ts';

/** A list as the server sent it. */
export interface ListedTools {
  rawTools: unknown[];
  /** The shortest freshness of all pages; absent when any page gave none. */
  ttlMs?: number;
}

export interface ListOptions {
  serverId: string;
  /** Milliseconds since the epoch by which all pages must be there. */
  deadline: number;
  limits: Pick<UpstreamLimits, 'listMaxPages' | 'listMaxTools'>;
  signal: AbortSignal;
}

/** JSON-RPC "Invalid params": on a later page, the cursor is no longer good. */
const invalidParams = -32602;

/**
 * All pages of `tools/list` (MCP "Pagination": cursors are opaque, also the empty one). Starts over once when a cursor
 * is refused midway, since the pages before it belong to another list. Throws errors of the SDK, and `upstream_error`
 * for a list without end and for a cursor that is no string.
 */
export async function listTools(session: Session, options: ListOptions): Promise<ListedTools> {
  try {
    return await walk(session, options);
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error;
    return await walk(session, options);
  }
}

class CursorRefused extends Error {
  override readonly name = 'CursorRefused';
}

async function walk(session: Session, options: ListOptions): Promise<ListedTools> {
  const { serverId, limits } = options;
  const rawTools: unknown[] = [];
  const ttls: (number | undefined)[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(session, cursor, options);
    for (const tool of page.tools) rawTools.push(tool);
    ttls.push(page.ttlMs);
    cursor = page.nextCursor;
    if (cursor !== undefined && seen.has(cursor)) throw endless(serverId, `the cursor of page ${seen.size} came twice`);
    if (cursor !== undefined) seen.add(cursor);
    if (seen.size >= limits.listMaxPages) throw endless(serverId, `it has more than ${limits.listMaxPages} pages`);
    if (rawTools.length > limits.listMaxTools) throw endless(serverId, `it has over ${limits.listMaxTools} tools`);
  } while (cursor !== undefined);
  const given = ttls.filter((ttl) => ttl !== undefined);
  return { rawTools, ...(given.length === ttls.length ? { ttlMs: Math.min(...given) } : {}) };
}

interface Page {
  tools: unknown[];
  nextCursor?: string;
  ttlMs?: number;
}

async function fetchPage(session: Session, cursor: string | undefined, options: ListOptions): Promise<Page> {
  const params = cursor === undefined ? {} : { params: { cursor } };
  try {
    const result = await session.client.request(
      { method: 'tools/list', ...params },
      { timeout: Math.max(1, options.deadline - Date.now()), signal: options.signal },
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
  const { tools, nextCursor, ttlMs } = raw;
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
  };
}

function endless(serverId: string, why: string): Error {
  return fault('upstream_error', `The tool list of server "${serverId}" does not end: ${why}.`, {
    serverId,
    mayHaveRun: false,
  });
}
