import type { Database } from 'better-sqlite3';

/**
 * Calls that a person has to allow, and those allowed. `state`: `asked` through a host, `waiting` for someone at a terminal,
 * allowed `once`, or allowed until it expires (`timed`). `digest` says which call; the other columns are for people.
 */
export function addCallApprovals(database: Database): void {
  database.exec(`
    CREATE TABLE call_approval (
      id TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      digest TEXT NOT NULL,
      server TEXT NOT NULL DEFAULT '',
      tool TEXT NOT NULL DEFAULT '',
      name TEXT NOT NULL DEFAULT '',
      caller TEXT NOT NULL DEFAULT '',
      effect TEXT NOT NULL DEFAULT '',
      is_effect_known INTEGER NOT NULL DEFAULT 0,
      arguments TEXT NOT NULL DEFAULT '{}',
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX call_approval_by_digest ON call_approval (digest);
  `);
}
