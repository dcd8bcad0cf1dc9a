import type { Database } from 'better-sqlite3';

/**
 * Servers, tools with their versions, the keyword index, texts and vectors. `partition` is the credential partition of
 * private lists; '' is what everybody may see. Tool keys are never used twice (AUTOINCREMENT): another process may still
 * hold the key of a tool that is gone. Definitions stand apart: a
 * tool's row is read and written often, and SQLite writes it whole. That of a version in force is stored there alone.
 */
export function createCore(database: Database): void {
  database.exec(`
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counter VALUES ('generation', 1), ('index_generation', 1), ('vector_generation', 1);

    CREATE TABLE server (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      partition TEXT NOT NULL DEFAULT '',
      fingerprint TEXT NOT NULL,
      listed_at INTEGER,
      ttl_ms INTEGER,
      stale INTEGER NOT NULL DEFAULT 0,
      last_error TEXT,
      description TEXT NOT NULL DEFAULT '',
      empty_seen INTEGER NOT NULL DEFAULT 0,
      era TEXT,
      UNIQUE (id, partition, fingerprint)
    ) STRICT;

    CREATE TABLE tool (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      server_pk INTEGER NOT NULL REFERENCES server (pk) ON DELETE CASCADE,
      name TEXT NOT NULL,
      exposed_name TEXT NOT NULL,
      position INTEGER NOT NULL,
      status TEXT NOT NULL,
      hidden INTEGER NOT NULL DEFAULT 0,
      index_state INTEGER NOT NULL DEFAULT 0,
      problem TEXT,
      hash TEXT NOT NULL,
      definition_bytes INTEGER NOT NULL,
      UNIQUE (server_pk, name)
    ) STRICT;
    CREATE INDEX tool_by_exposed_name ON tool (exposed_name);
    CREATE INDEX tool_by_activity ON tool (server_pk, hidden, status);
    CREATE INDEX tool_to_index ON tool (index_state, key) WHERE index_state < 2;

    CREATE TABLE tool_definition (
      tool_key INTEGER PRIMARY KEY REFERENCES tool (key) ON DELETE CASCADE,
      definition TEXT NOT NULL,
      input_schema TEXT
    ) STRICT;

    CREATE TABLE tool_version (
      server_id TEXT NOT NULL,
      partition TEXT NOT NULL DEFAULT '',
      name TEXT NOT NULL,
      hash TEXT NOT NULL,
      definition TEXT,
      first_seen_at INTEGER NOT NULL,
      replaced_at INTEGER
    ) STRICT;
    CREATE INDEX tool_version_by_tool ON tool_version (server_id, partition, name, first_seen_at);

    CREATE VIRTUAL TABLE tool_text USING fts5 (
      name, title, description, parameters, server,
      content = '', contentless_delete = 1,
      tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    );
    CREATE VIRTUAL TABLE tool_term USING fts5vocab (tool_text, 'row');

    CREATE TABLE tool_profile (
      tool_key INTEGER PRIMARY KEY REFERENCES tool (key) ON DELETE CASCADE,
      value BLOB NOT NULL
    ) STRICT;

    CREATE TABLE embedding_text (
      key INTEGER PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      text TEXT NOT NULL
    ) STRICT;

    CREATE TABLE tool_embedding (
      tool_key INTEGER NOT NULL REFERENCES tool (key) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      text_key INTEGER NOT NULL REFERENCES embedding_text (key),
      PRIMARY KEY (tool_key, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tool_embedding_by_text ON tool_embedding (text_key);

    CREATE TABLE vector (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      text_key INTEGER NOT NULL REFERENCES embedding_text (key) ON DELETE CASCADE,
      model_id TEXT NOT NULL,
      value BLOB NOT NULL,
      UNIQUE (text_key, model_id)
    ) STRICT;
  `);
}
