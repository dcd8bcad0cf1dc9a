import { createHash } from 'node:crypto';
import type { Operation, OperationKey, OperationState, OperationStore } from '../model/index.ts';
import type { Database } from './database.ts';

/** A host asks again within minutes; a day lets it come back after a night. */
const maxAgeMs = 24 * 60 * 60_000;
/** Of one outcome as JSON: what a model is to read is far smaller. */
export const outcomeMaxBytes = 1024 * 1024;
/** Of all outcomes together; the oldest go first. */
const bytesMax = 32 * 1024 * 1024;
const operationsMax = 10_000;
/** Starts after which what is too old or too much is looked for again. */
const pruneEvery = 100;

type Started = Pick<Operation, 'digest' | 'owner' | 'aliveUntil'>;

/** Calls by idempotency key, in the file that all processes of a config share: each step is one statement or transaction. */
export class OperationTable implements OperationStore {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepare>;
  #untilPrune = 0;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepare(database);
  }

  find(id: OperationKey): Operation | undefined {
    const row = this.#statements.find.get({ ...keyOf(id), since: this.#now() - maxAgeMs }) as Row | undefined;
    return row && toOperation(row);
  }

  start(id: OperationKey, operation: Started): boolean {
    const startOnce = this.#database.transaction(() => {
      this.#prune();
      const now = this.#now();
      this.#statements.forgetOld.run({ ...keyOf(id), since: now - maxAgeMs });
      return this.#statements.start.run({ ...keyOf(id), ...operation, now }).changes > 0;
    });
    return startOnce.immediate();
  }

  resume(id: OperationKey, operation: Started): boolean {
    return this.#statements.resume.run({ ...keyOf(id), ...operation }).changes > 0;
  }

  settle(id: OperationKey, state: Exclude<OperationState, 'running'>, outcome?: string): void {
    const bytes = outcome === undefined ? 0 : Buffer.byteLength(outcome);
    const kept = bytes > outcomeMaxBytes ? { outcome: null, bytes: 0 } : { outcome: outcome ?? null, bytes };
    this.#statements.settle.run({ ...keyOf(id), state, ...kept });
  }

  forget(id: OperationKey): void {
    this.#statements.forget.run(keyOf(id));
  }

  keepAlive(owner: string, aliveUntil: number): void {
    this.#statements.keepAlive.run({ owner, aliveUntil });
  }

  #prune(): void {
    this.#untilPrune -= 1;
    if (this.#untilPrune > 0) return;
    this.#untilPrune = pruneEvery;
    this.#statements.pruneOld.run(this.#now() - maxAgeMs);
    this.#statements.pruneMany.run({ bytes: bytesMax, operations: operationsMax });
  }
}

interface Row {
  digest: string;
  state: OperationState;
  owner: string;
  alive_until: number;
  started_at: number;
  outcome: string | null;
}

function keyOf({ caller, key }: OperationKey): { caller: string; keyHash: string } {
  return { caller, keyHash: createHash('sha256').update(key).digest('hex') };
}

function toOperation({ digest, state, owner, alive_until, started_at, outcome }: Row): Operation {
  return {
    digest,
    state,
    owner,
    aliveUntil: alive_until,
    startedAt: started_at,
    ...(outcome === null ? {} : { outcome }),
  };
}

function prepare(database: Database) {
  const one = 'caller = @caller AND key_hash = @keyHash';
  return {
    find: database.prepare(`SELECT * FROM operation WHERE ${one} AND started_at > @since`),
    forgetOld: database.prepare(`DELETE FROM operation WHERE ${one} AND started_at <= @since`),
    start: database.prepare(
      `INSERT INTO operation (caller, key_hash, digest, state, owner, alive_until, started_at)
       VALUES (@caller, @keyHash, @digest, 'running', @owner, @aliveUntil, @now) ON CONFLICT DO NOTHING`,
    ),
    resume: database.prepare(
      `UPDATE operation SET state = 'running', owner = @owner, alive_until = @aliveUntil
       WHERE ${one} AND digest = @digest AND state = 'paused'`,
    ),
    settle: database.prepare(`UPDATE operation SET state = @state, outcome = @outcome, bytes = @bytes WHERE ${one}`),
    forget: database.prepare(`DELETE FROM operation WHERE ${one}`),
    keepAlive: database.prepare(
      "UPDATE operation SET alive_until = @aliveUntil WHERE owner = @owner AND state = 'running'",
    ),
    pruneOld: database.prepare('DELETE FROM operation WHERE started_at <= ?'),
    pruneMany: database.prepare(
      `DELETE FROM operation WHERE state IN ('done', 'unknown') AND rowid IN (
         SELECT rowid FROM (
           SELECT rowid, sum(bytes) OVER newest AS total, row_number() OVER newest AS place FROM operation
           WINDOW newest AS (ORDER BY started_at DESC, rowid DESC))
         WHERE total > @bytes OR place > @operations)`,
    ),
  };
}
