import { randomBytes } from 'node:crypto';
import type { ApprovableCall, ApprovalRequest, CallApprovals, JsonObject, ToolEffect } from '../model/index.ts';
import type { Database } from './database.ts';

/** A person may be away from the terminal, and a form may stay open, this long. */
const waitingMaxMs = 60 * 60_000;
/** More calls than a person looks over; the oldest make room. */
const waitingMax = 200;
/** 128 bits cannot be guessed. */
const idBytes = 16;
/** A row of the future was written before the clock was set back: how long it has been there nobody knows, so it counts no more. */
const isValid = '? BETWEEN created_at AND expires_at - 1';

interface Row {
  id: string;
  digest: string;
  server: string;
  tool: string;
  name: string;
  caller: string;
  effect: string;
  is_effect_known: number;
  arguments: string;
  created_at: number;
  expires_at: number;
}

/** What persons allow, in the file that all processes of a config share: each step is one statement or transaction. */
export class CallApprovalTable implements CallApprovals {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepare(database);
  }

  request(call: ApprovableCall): string {
    const requestOnce = this.#database.transaction(() => {
      const known = this.#statements.waitingFor.get(call.digest, this.#now()) as string | undefined;
      return known ?? this.#insert('waiting', call);
    });
    return requestOnce.immediate();
  }

  ask(call: ApprovableCall): string {
    return this.#database.transaction(() => this.#insert('asked', call)).immediate();
  }

  takeQuestion(id: string, digest: string): boolean {
    return this.#statements.takeQuestion.run(id, digest, this.#now()).changes > 0;
  }

  take(digest: string): boolean {
    const now = this.#now();
    if (this.#statements.isAllowed.get(digest, now) === undefined) return false;
    if (this.#statements.isAllowedForATime.get(digest, now) !== undefined) return true;
    return this.#statements.takeOnce.run(digest, now).changes > 0;
  }

  allow(digest: string, { isOnce, expiresAt }: { isOnce: boolean; expiresAt: number }): void {
    this.#statements.allow.run({ id: newId(), digest, state: stateOf(isOnce), now: this.#now(), expiresAt });
  }

  waiting(): ApprovalRequest[] {
    return (this.#statements.waiting.all(this.#now()) as Row[]).map(toRequest);
  }

  grant(id: string, { isOnce, expiresAt }: { isOnce: boolean; expiresAt: number }): ApprovalRequest | undefined {
    const now = this.#now();
    const row = this.#statements.settle.get({ id, state: stateOf(isOnce), now, expiresAt }) as Row | undefined;
    return row && toRequest(row);
  }

  takeRefusal(digest: string): boolean {
    const now = this.#now();
    if (this.#statements.isRefusedForATime.get(digest, now) !== undefined) return true;
    return this.#statements.takeRefusal.run(digest, now).changes > 0;
  }

  refuse(id: string, { isOnce, expiresAt }: { isOnce: boolean; expiresAt: number }): ApprovalRequest | undefined {
    const state = isOnce ? 'refused once' : 'refused';
    const row = this.#statements.settle.get({ id, state, now: this.#now(), expiresAt }) as Row | undefined;
    return row && toRequest(row);
  }

  #insert(state: 'waiting' | 'asked', call: ApprovableCall): string {
    const now = this.#now();
    const id = newId();
    this.#statements.forgetExpired.run(now);
    this.#statements.insert.run({
      id,
      state,
      digest: call.digest,
      server: call.serverId,
      tool: call.toolName,
      name: call.name,
      caller: call.caller,
      effect: call.effect,
      isEffectKnown: call.isEffectKnown ? 1 : 0,
      arguments: JSON.stringify(call.arguments),
      now,
      expiresAt: now + waitingMaxMs,
    });
    this.#statements.forgetOldest.run(state, state, waitingMax);
    return id;
  }
}

function newId(): string {
  return randomBytes(idBytes).toString('base64url');
}

function stateOf(isOnce: boolean): 'once' | 'timed' {
  return isOnce ? 'once' : 'timed';
}

function toRequest(row: Row): ApprovalRequest {
  return {
    id: row.id,
    serverId: row.server,
    toolName: row.tool,
    name: row.name,
    caller: row.caller,
    effect: row.effect as ToolEffect,
    isEffectKnown: row.is_effect_known === 1,
    arguments: JSON.parse(row.arguments) as JsonObject,
    requestedAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function prepare(database: Database) {
  const allowed = `digest = ? AND state IN ('once', 'timed') AND ${isValid}`;
  return {
    waitingFor: database
      .prepare(`SELECT id FROM call_approval WHERE digest = ? AND state = 'waiting' AND ${isValid}`)
      .pluck(),
    insert: database.prepare(
      `INSERT INTO call_approval
         (id, state, digest, server, tool, name, caller, effect, is_effect_known, arguments, created_at, expires_at)
       VALUES (@id, @state, @digest, @server, @tool, @name, @caller, @effect, @isEffectKnown, @arguments, @now, @expiresAt)`,
    ),
    forgetExpired: database.prepare(`DELETE FROM call_approval WHERE NOT ${isValid}`),
    forgetOldest: database.prepare(
      `DELETE FROM call_approval WHERE state = ? AND id IN (
         SELECT id FROM call_approval WHERE state = ? ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?)`,
    ),
    takeQuestion: database.prepare(
      `DELETE FROM call_approval WHERE id = ? AND digest = ? AND state = 'asked' AND ${isValid}`,
    ),
    isAllowed: database.prepare(`SELECT 1 FROM call_approval WHERE ${allowed}`).pluck(),
    isAllowedForATime: database.prepare(`SELECT 1 FROM call_approval WHERE ${allowed} AND state = 'timed'`).pluck(),
    takeOnce: database.prepare(
      `DELETE FROM call_approval WHERE rowid = (
         SELECT rowid FROM call_approval WHERE ${allowed} AND state = 'once' LIMIT 1)`,
    ),
    allow: database.prepare(
      `INSERT INTO call_approval (id, state, digest, created_at, expires_at)
       VALUES (@id, @state, @digest, @now, @expiresAt)`,
    ),
    waiting: database.prepare(
      `SELECT * FROM call_approval WHERE state = 'waiting' AND ${isValid} ORDER BY created_at, rowid`,
    ),
    isRefusedForATime: database
      .prepare("SELECT 1 FROM call_approval WHERE digest = ? AND state = 'refused' AND expires_at > ?")
      .pluck(),
    takeRefusal: database.prepare(
      `DELETE FROM call_approval WHERE rowid = (
         SELECT rowid FROM call_approval WHERE digest = ? AND state = 'refused once' AND expires_at > ? LIMIT 1)`,
    ),
    settle: database.prepare(
      `UPDATE call_approval SET state = @state, expires_at = @expiresAt
       WHERE id = @id AND state = 'waiting' AND @now BETWEEN created_at AND expires_at - 1 RETURNING *`,
    ),
  };
}
