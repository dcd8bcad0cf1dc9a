import type { Database } from 'better-sqlite3';

/**
 * What was called and started. `end_bytes` adds up the sizes of all entries up to this one, so that the size of those that
 * are kept is a difference.
 */
export function addAudit(database: Database): void {
  database.exec(`
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      caller TEXT,
      server TEXT,
      tool TEXT,
      hash TEXT,
      arguments TEXT,
      decision TEXT,
      rule TEXT,
      operation_id TEXT,
      outcome TEXT,
      duration_ms REAL,
      request_id TEXT,
      command TEXT,
      end_bytes INTEGER NOT NULL
    ) STRICT;
  `);
}
