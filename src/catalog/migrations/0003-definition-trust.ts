import type { Database } from 'better-sqlite3';

/**
 * What is held back of a tool, and why. `tool` keeps the accepted definition; one that its server lists instead and that
 * waits for a person is the open version, whose hash is `listed_hash` ('' asks for a new decision with the next list).
 * `findings` is NULL until the definition was scanned. `accepted` of a version: 0 never, 1 by the rules, 2 by a person.
 */
export function addDefinitionTrust(database: Database): void {
  database.exec(`
    ALTER TABLE server ADD COLUMN trust TEXT NOT NULL DEFAULT 'standard';

    ALTER TABLE tool ADD COLUMN hold TEXT NOT NULL DEFAULT '';
    ALTER TABLE tool ADD COLUMN hold_reason TEXT;
    ALTER TABLE tool ADD COLUMN listed_hash TEXT;
    ALTER TABLE tool ADD COLUMN approved INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tool ADD COLUMN findings TEXT;
    ALTER TABLE tool ADD COLUMN skeleton TEXT;
    CREATE INDEX tool_to_scan ON tool (key) WHERE findings IS NULL;
    CREATE INDEX tool_by_skeleton ON tool (skeleton);

    ALTER TABLE tool_version ADD COLUMN accepted INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE tool_version ADD COLUMN times_seen INTEGER NOT NULL DEFAULT 1;
  `);
}
