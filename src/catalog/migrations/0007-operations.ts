import type { Database } from 'better-sqlite3';

/** Calls with an idempotency key. `key_hash` is SHA-256 of the key; `outcome` is JSON, of `bytes` bytes. */
export function addOperations(database: Database): void {
  database.exec(`
    CREATE TABLE operation (
      caller TEXT NOT NULL,
      key_hash TEXT NOT NULL,
      digest TEXT NOT NULL,
      state TEXT NOT NULL,
      owner TEXT NOT NULL,
      alive_until INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      outcome TEXT,
      bytes INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (caller, key_hash)
    ) STRICT;
    CREATE INDEX operation_by_start ON operation (started_at);
  `);
}
