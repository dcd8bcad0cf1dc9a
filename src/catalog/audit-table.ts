import {
  type AuditEntry,
  type AuditQuery,
  type AuditRetention,
  type AuditStore,
  type CallActivity,
  steadyNow,
} from '../model/index.ts';
import type { Database } from './database.ts';
import { withoutWaiting } from './without-waiting.ts';

const defaultLimit = 100;
const limitMax = 10_000;
/** Of a row besides its texts: numbers and SQLite's own. */
const rowBytes = 64;
/** Deleted at once: a millisecond or two. */
const pruneRows = 1_000;

/** The record of calls and starts, in the same file as the tools. Changes nothing that search or calls look at. */
export class AuditTable implements AuditStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  add(entries: readonly Omit<AuditEntry, 'id'>[]): void {
    const addAll = this.#database.transaction(() => {
      let endBytes = (this.#statements.endBytes.get() as number | undefined) ?? 0;
      for (const entry of entries) {
        const row = toRow(entry);
        endBytes += sizeOf(row);
        this.#statements.add.run({ ...row, end_bytes: endBytes });
      }
    });
    // What was not written is written with the next.
    withoutWaiting(this.#database, () => addAll.immediate());
  }

  read({ afterId, beforeId, failedOnly = false, server, text, limit = defaultLimit }: AuditQuery = {}): AuditEntry[] {
    const filter = {
      after: afterId ?? 0,
      before: beforeId ?? Number.MAX_SAFE_INTEGER,
      text: text === undefined || text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`,
      failed: failedOnly ? 1 : 0,
      server: server ?? null,
      limit: Math.min(Math.max(1, limit), limitMax),
    };
    if (afterId !== undefined) return (this.#statements.oldest.all(filter) as AuditRow[]).map(toEntry);
    return (this.#statements.newest.all(filter) as AuditRow[]).toReversed().map(toEntry);
  }

  activity(since: number, stretchMs: number): CallActivity[] {
    return this.#statements.activity.all({ since, stretch: stretchMs }) as CallActivity[];
  }

  prune({ maxAgeMs, maxBytes }: AuditRetention): boolean {
    // A clock that is set ahead by mistake must not make all that is kept too old.
    const bounds = { time: steadyNow() - maxAgeMs, bytes: maxBytes, limit: pruneRows };
    return withoutWaiting(this.#database, () => this.#statements.prune.run(bounds).changes === pruneRows);
  }
}

interface AuditRow {
  id: number;
  time: number;
  kind: AuditEntry['kind'];
  caller: string | null;
  server: string | null;
  tool: string | null;
  hash: string | null;
  arguments: string | null;
  decision: string | null;
  rule: string | null;
  operation_id: string | null;
  outcome: string | null;
  duration_ms: number | null;
  request_id: string | null;
  command: string | null;
}

function prepare(database: Database) {
  const isFailure = "outcome NOT IN ('ok', 'input_required')";
  const matches = `id > $after AND id < $before
    AND ($failed = 0 OR (kind = 'call' AND ${isFailure}))
    AND ($server IS NULL OR server = $server)
    AND ($text IS NULL OR tool LIKE $text ESCAPE '\\' OR caller LIKE $text ESCAPE '\\'
      OR outcome LIKE $text ESCAPE '\\' OR command LIKE $text ESCAPE '\\')`;
  return {
    endBytes: database.prepare('SELECT end_bytes FROM audit ORDER BY id DESC LIMIT 1').pluck(),
    add: database.prepare(`
      INSERT INTO audit (time, kind, caller, server, tool, hash, arguments, decision, rule, operation_id, outcome,
        duration_ms, request_id, command, end_bytes)
      VALUES ($time, $kind, $caller, $server, $tool, $hash, $arguments, $decision, $rule, $operation_id, $outcome,
        $duration_ms, $request_id, $command, $end_bytes)`),
    oldest: database.prepare(`SELECT * FROM audit WHERE ${matches} ORDER BY id LIMIT $limit`),
    newest: database.prepare(`SELECT * FROM audit WHERE ${matches} ORDER BY id DESC LIMIT $limit`),
    activity: database.prepare(`
      SELECT time - time % CAST($stretch AS INTEGER) AS start, count(*) AS calls, sum(${isFailure}) AS failures
      FROM audit WHERE time >= $since AND kind = 'call' GROUP BY start ORDER BY start`),
    prune: database.prepare(`
      DELETE FROM audit WHERE id <= (
        SELECT max(id) FROM (SELECT id, time, end_bytes FROM audit ORDER BY id LIMIT $limit)
        WHERE time < $time OR end_bytes <= (SELECT end_bytes FROM audit ORDER BY id DESC LIMIT 1) - $bytes
      )`),
  };
}

function toRow(entry: Omit<AuditEntry, 'id'>): Omit<AuditRow, 'id'> {
  return {
    time: Date.parse(entry.time),
    kind: entry.kind,
    caller: entry.caller ?? null,
    server: entry.server ?? null,
    tool: entry.tool ?? null,
    hash: entry.hash ?? null,
    arguments: entry.arguments ?? null,
    decision: entry.decision ?? null,
    rule: entry.rule ?? null,
    operation_id: entry.operationId ?? null,
    outcome: entry.outcome ?? null,
    duration_ms: entry.durationMs ?? null,
    request_id: entry.requestId ?? null,
    command: entry.command ?? null,
  };
}

function sizeOf(row: Omit<AuditRow, 'id'>): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    rowBytes,
  );
}

function toEntry(row: AuditRow): AuditEntry {
  const { id, time, kind, operation_id, duration_ms, request_id, ...texts } = row;
  const { end_bytes: _, ...shown } = texts as typeof texts & { end_bytes: number };
  const rest = { ...shown, operationId: operation_id, durationMs: duration_ms, requestId: request_id };
  const there = Object.entries(rest).filter(([, value]) => value !== null);
  return { id, time: new Date(time).toISOString(), kind, ...Object.fromEntries(there) };
}
