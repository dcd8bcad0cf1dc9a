import type { ServerRecord } from '../model/index.ts';

/** A server that gives a shorter `ttlMs` would be listed at every search. */
const ttlMinMs = 30_000;
/** A server cannot forbid a new list for longer. */
const ttlMaxMs = 24 * 3_600_000;

/**
 * When the list of a server should be fetched anew, on the next access, in milliseconds since the epoch: 0 for a list
 * that is missing, known to be stale or dated in the future, `Infinity` for one whose changes we are told of. A `ttlMs` of 0, which is also
 * what servers send that have nothing to say about it, gives the list our own age limit `maxAgeMs`
 * (MCP 2026-07-28, "Caching").
 */
export function dueAt(
  record: ServerRecord | undefined,
  { isWatched, watchedUntil, maxAgeMs }: Watching,
  now = Date.now(),
): number {
  if (record?.listedAt === undefined || record.stale) return 0;
  // The clock was set back since: nobody knows how old the list is.
  if (record.listedAt > now) return 0;
  if (record.ttlMs === 0) return record.listedAt + maxAgeMs;
  if (record.ttlMs !== undefined) return record.listedAt + Math.min(Math.max(record.ttlMs, ttlMinMs), ttlMaxMs);
  return isWatched ? Number.POSITIVE_INFINITY : Math.max(record.listedAt, watchedUntil) + maxAgeMs;
}

export interface Watching {
  /** True while the server tells us of changes. */
  isWatched: boolean;
  /** Until when it did so before, in milliseconds since the epoch: up to then its list was as good as new. */
  watchedUntil: number;
  maxAgeMs: number;
}
