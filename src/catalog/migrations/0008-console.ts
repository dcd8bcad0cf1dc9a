import type { Database } from 'better-sqlite3';

/**
 * What people look over: searches of models that found nothing, definitions that a person refused, and an index by which
 * calls of a time are counted without reading the record.
 */
export function addConsoleTables(database: Database): void {
  database.exec(`
    CREATE TABLE missed_search (
      query TEXT PRIMARY KEY,
      times INTEGER NOT NULL,
      last_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE definition_refusal (
      server_id TEXT NOT NULL,
      name TEXT NOT NULL,
      hash TEXT NOT NULL,
      refused_at INTEGER NOT NULL,
      PRIMARY KEY (server_id, name, hash)
    ) STRICT;

    CREATE INDEX audit_by_time ON audit (time, kind, outcome);
  `);
}
