import type { Database } from 'better-sqlite3';

/** Exact token counts, filled in after ingest: NULL means not counted yet. */
export function addTokenCounts(database: Database): void {
  database.exec(`
    ALTER TABLE tool ADD COLUMN tokens INTEGER;
    CREATE INDEX tool_uncounted ON tool (key) WHERE tokens IS NULL;
  `);
}
