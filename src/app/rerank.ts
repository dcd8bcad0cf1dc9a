import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { messageOf, ToolcribError } from '../errors/index.ts';
import type { CatalogView, Logger, SearchHit, SearchOptions, SearchResult, ToolSearcher } from '../model/index.ts';

/**
 * Puts the hits of a search in another order, best first: names, or hits. `signal` is aborted when the answer is too late. What
 * it leaves out comes after what it names.
 */
export type Rerank = (
  query: string,
  hits: readonly SearchHit[],
  options: { signal: AbortSignal },
) => Promise<readonly (string | { name: string })[]>;

export interface RerankOptions {
  rerank: Rerank;
  /** Default 2 000. */
  timeoutMs?: number;
  logger: Logger;
}

/** Hits that are put up for choice: the most that a search gives at once. */
const candidates = 20;
/** Searches whose further pages can be asked for. */
const windowsKept = 200;
const defaultLimit = 5;
/** A model waits for this at each search. */
const defaultTimeoutMs = 2_000;
const cursorPrefix = 'r_';

/** The hits of one search in their new order, with the way to those behind them. */
interface Window {
  scope: string;
  result: SearchResult;
}

/**
 * A searcher whose first 20 hits are in the order that the host's function gives them. A function that fails, is late or tells
 * of hits that there are not changes nothing: no hit is lost, made up or shown twice, and pages go on.
 */
export function rerankedSearcher(searcher: ToolSearcher, options: RerankOptions): ToolSearcher {
  const windows = new LRUCache<string, Window>({ max: windowsKept });

  const page = (id: string, { result }: Window, start: number, limit: number): SearchResult => {
    const { nextCursor, ...rest } = result;
    const end = start + limit;
    const next = end < result.hits.length ? `${cursorPrefix}${id}_${end}` : nextCursor;
    return { ...rest, hits: result.hits.slice(start, end), ...(next === undefined ? {} : { nextCursor: next }) };
  };

  return {
    search: async (query, searchOptions, view) => {
      const { limit = defaultLimit, cursor } = searchOptions ?? {};
      const isOwnCursor = typeof cursor === 'string' && cursor.startsWith(cursorPrefix);
      if (!isLimit(limit) || (cursor !== undefined && !isOwnCursor)) return searcher.search(query, searchOptions, view);
      const scope = scopeOf(query, searchOptions ?? {}, view);
      if (isOwnCursor) {
        const { id, start } = readCursor(cursor);
        const window = windows.get(id);
        if (window?.scope !== scope) throw staleCursor();
        return page(id, window, start, limit);
      }
      const found = await searcher.search(query, { ...searchOptions, limit: candidates }, view);
      const window = { scope, result: { ...found, hits: await inNewOrder(query, found.hits, options) } };
      const id = randomBytes(6).toString('hex');
      if (found.hits.length > limit) windows.set(id, window);
      return page(id, window, 0, limit);
    },
  };
}

function isLimit(limit: unknown): limit is number {
  return Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= candidates;
}

function scopeOf(query: string, { server, arm, detail, explain }: SearchOptions, view?: CatalogView): string {
  return JSON.stringify([query, server, arm, detail, explain, view?.key]);
}

function readCursor(cursor: string): { id: string; start: number } {
  const [, id, start] = new RegExp(`^${cursorPrefix}([0-9a-f]+)_(\\d{1,2})$`).exec(cursor) ?? [];
  if (id === undefined) throw staleCursor();
  return { id, start: Number(start) };
}

function staleCursor(): ToolcribError {
  return new ToolcribError('invalid_cursor', 'The cursor belongs to another search, or to one that was too long ago.');
}

async function inNewOrder(query: string, hits: SearchHit[], options: RerankOptions): Promise<SearchHit[]> {
  if (hits.length < 2) return hits;
  const { rerank, timeoutMs = defaultTimeoutMs, logger } = options;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new Error(`it took longer than ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    // A copy: what a host's function does to its hits changes nothing here.
    const ordering = (async () => rerank(query, structuredClone(hits), { signal: late.signal }))();
    return sorted(hits, await Promise.race([ordering, timeout]));
  } catch (error) {
    logger.warn('the "rerank" function failed, hits keep their order', { error: messageOf(error) });
    return hits;
  } finally {
    clearTimeout(timer);
  }
}

function sorted(hits: readonly SearchHit[], order: unknown): SearchHit[] {
  if (!Array.isArray(order)) throw new TypeError('it gave no list');
  const byName = new Map(hits.map((hit) => [hit.name, hit]));
  const names = order.map((entry: unknown) => (typeof entry === 'string' ? entry : nameOf(entry)));
  const chosen = new Set(names.flatMap((name) => byName.get(String(name)) ?? []));
  return [...chosen, ...hits.filter((hit) => !chosen.has(hit))];
}

function nameOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
}
