import type { Database } from 'better-sqlite3';

/** Tokens of HTTP callers. `secret_hash` is all that is kept of a secret; `scopes` is a JSON list of texts. */
export function addCallerTokens(database: Database): void {
  database.exec(`
    CREATE TABLE caller_token (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      secret_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT;
    INSERT INTO counter VALUES ('token_generation', 1);
  `);
}
