import type { Statement } from 'better-sqlite3';
import type { Database } from './database.ts';

export type CounterName = 'generation' | 'index_generation' | 'vector_generation' | 'token_generation';

/**
 * Numbers in the file that grow with each change, so that any process sees at the cost of one look-up that another has
 * written.
 */
export class Counters {
  readonly #read: Statement;
  readonly #bump: Statement;

  constructor(database: Database) {
    this.#read = database.prepare('SELECT value FROM counter WHERE name = ?').pluck();
    this.#bump = database.prepare('UPDATE counter SET value = value + 1 WHERE name = ?');
  }

  read(name: CounterName): number {
    return this.#read.get(name) as number;
  }

  bump(name: CounterName): void {
    this.#bump.run(name);
  }
}
