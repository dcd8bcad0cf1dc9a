import type { StoredToken, TokenStore } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';

/** The tokens of HTTP callers, in the file that all processes of a config share. */
export class TokenTable implements TokenStore {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, counters: Counters, now: () => number = Date.now) {
    this.#database = database;
    this.#counters = counters;
    this.#now = now;
    this.#statements = prepare(database);
  }

  generation(): number {
    return this.#counters.read('token_generation');
  }

  all(): StoredToken[] {
    return (this.#statements.all.all() as Row[]).map(toToken);
  }

  add(token: StoredToken): boolean {
    const addOnce = this.#database.transaction(() => {
      if (this.#statements.inForce.get(token.name, this.#now()) !== undefined) return false;
      this.#statements.add.run({
        ...token,
        scopes: JSON.stringify(token.scopes),
        expiresAt: token.expiresAt ?? null,
      });
      this.#counters.bump('token_generation');
      return true;
    });
    return addOnce.immediate();
  }

  revoke(idOrName: string): StoredToken | undefined {
    const revokeOnce = this.#database.transaction(() => {
      const row = this.#statements.revoke.get({ idOrName, now: this.#now() }) as Row | undefined;
      if (row !== undefined) this.#counters.bump('token_generation');
      return row && toToken(row);
    });
    return revokeOnce.immediate();
  }
}

interface Row {
  id: string;
  name: string;
  scopes: string;
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

function toToken({ id, name, scopes, secret_hash, created_at, expires_at, revoked_at }: Row): StoredToken {
  return {
    id,
    name,
    scopes: JSON.parse(scopes) as string[],
    secretHash: secret_hash,
    createdAt: created_at,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    ...(revoked_at === null ? {} : { revokedAt: revoked_at }),
  };
}

function prepare(database: Database) {
  const inForce = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at >';
  return {
    all: database.prepare('SELECT * FROM caller_token ORDER BY created_at, rowid'),
    inForce: database.prepare(`SELECT 1 FROM caller_token WHERE name = ? AND ${inForce} ?)`).pluck(),
    add: database.prepare(
      `INSERT INTO caller_token (id, name, scopes, secret_hash, created_at, expires_at)
       VALUES (@id, @name, @scopes, @secretHash, @createdAt, @expiresAt)`,
    ),
    revoke: database.prepare(
      `UPDATE caller_token SET revoked_at = @now
       WHERE (id = @idOrName OR name = @idOrName) AND ${inForce} @now) RETURNING *`,
    ),
  };
}
