import type { MissedSearch, MissedSearches } from '../model/index.ts';
import type { Database } from './database.ts';
import { withoutWaiting } from './without-waiting.ts';

/** More than a person reads; the oldest make room. */
const queriesMax = 200;
/** A model's query is a phrase; what is longer is shown by its beginning. */
const queryMaxChars = 200;

/** Searches that found nothing, in the file that all processes of a config share. */
export class MissedSearchTable implements MissedSearches {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  note(query: string): void {
    const noteOne = this.#database.transaction(() => {
      this.#statements.note.run({ query: query.trim().slice(0, queryMaxChars), now: Date.now() });
      this.#statements.forgetOldest.run(queriesMax);
    });
    withoutWaiting(this.#database, () => noteOne.immediate());
  }

  list(limit: number): MissedSearch[] {
    return this.#statements.list.all(limit) as MissedSearch[];
  }
}

function prepare(database: Database) {
  return {
    note: database.prepare(
      `INSERT OR REPLACE INTO missed_search (query, times, last_at)
       SELECT $query, coalesce((SELECT times FROM missed_search WHERE query = $query), 0) + 1, $now`,
    ),
    forgetOldest: database.prepare(
      `DELETE FROM missed_search WHERE query IN (
         SELECT query FROM missed_search ORDER BY last_at DESC, rowid DESC LIMIT -1 OFFSET ?)`,
    ),
    list: database.prepare(
      'SELECT query, times, last_at AS lastAt FROM missed_search ORDER BY last_at DESC, rowid DESC LIMIT ?',
    ),
  };
}
