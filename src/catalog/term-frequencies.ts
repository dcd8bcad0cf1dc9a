import type { Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { matchAny } from './match-any.ts';
import type { ServerTable } from './server-table.ts';

/** Queries draw on a few thousand words; some hundred bytes each. */
const cachedTerms = 10_000;

/** In how many tools a term occurs, kept until tools change. */
export class TermFrequencies {
  readonly #servers: ServerTable;
  readonly #counters: Counters;
  readonly #whole: Statement;
  readonly #active: Statement;
  readonly #count: Statement;
  readonly #some: Statement;
  readonly #someWith: Statement;
  readonly #cache = new LRUCache<string, number>({ max: cachedTerms });
  #counts: DocumentCounts = { active: 0, indexed: 0 };
  #countsAt = '';

  constructor(database: Database, counters: Counters, servers: ServerTable) {
    this.#servers = servers;
    this.#counters = counters;
    this.#whole = database.prepare('SELECT doc FROM tool_term WHERE term = ?').pluck();
    const activeWith = `SELECT count(*) FROM tool_text
      JOIN tool t ON t.key = tool_text.rowid
      JOIN temp.active_server a ON a.pk = t.server_pk
      WHERE tool_text MATCH ? AND t.hidden = 0`;
    const isOneOf = 'AND t.key IN (SELECT value FROM json_each(?))';
    this.#active = database.prepare(activeWith).pluck();
    this.#someWith = database.prepare(`${activeWith} ${isOneOf}`).pluck();
    this.#some = database
      .prepare(
        `SELECT count(*) FROM tool t JOIN temp.active_server a ON a.pk = t.server_pk
         WHERE t.status <> 'set_aside' AND t.hold <> 'quarantined' AND t.hidden = 0 ${isOneOf}`,
      )
      .pluck();
    this.#count = database.prepare(
      `SELECT count(*) AS indexed, coalesce(sum(t.hidden = 0 AND a.pk IS NOT NULL), 0) AS active
       FROM tool t LEFT JOIN temp.active_server a ON a.pk = t.server_pk 
       WHERE t.status <> 'set_aside' AND t.hold <> 'quarantined'`,
    );
  }

  /** Of active tools alone. Terms in one call are looked up at one state of the file. */
  of(terms: readonly string[]): Map<string, number> {
    const isWhole = this.isWhole();
    const frequencyOf = (term: string) => {
      let frequency = this.#cache.get(term);
      if (frequency === undefined) {
        frequency = isWhole ? this.#wholeFrequency(term) : this.#activeFrequency(term);
        this.#cache.set(term, frequency);
      }
      return frequency;
    };
    return new Map(terms.map((term) => [term, frequencyOf(term)]));
  }

  /** Of some tools alone, whose keys come as a JSON list. */
  within(terms: readonly string[], keys: string): { frequencies: Map<string, number>; documents: number } {
    this.#servers.refreshActive();
    const frequencyOf = (term: string) => {
      const match = matchAny([term]);
      return match === undefined ? 0 : (this.#someWith.get(match, keys) as number);
    };
    return {
      frequencies: new Map(terms.map((term) => [term, frequencyOf(term)])),
      documents: this.#some.get(keys) as number,
    };
  }

  /** Active tools that are indexed. */
  documents(): number {
    return this.#documentCounts().active;
  }

  /** True when the index holds no tool that is hidden or of a server that left the config. */
  isWhole(): boolean {
    const { active, indexed } = this.#documentCounts();
    return active === indexed;
  }

  /** After `configure`, which changes what is active without writing anything. */
  forget(): void {
    this.#countsAt = '';
  }

  /** FTS5 keeps this figure for the whole file. */
  #wholeFrequency(term: string): number {
    return (this.#whole.get(term) as number | undefined) ?? 0;
  }

  #activeFrequency(term: string): number {
    const match = matchAny([term]);
    return match === undefined ? 0 : (this.#active.get(match) as number);
  }

  #documentCounts(): DocumentCounts {
    const generation = `${this.#counters.read('generation')}/${this.#counters.read('index_generation')}`;
    if (generation !== this.#countsAt) {
      this.#servers.refreshActive();
      this.#counts = this.#count.get() as DocumentCounts;
      this.#countsAt = generation;
      this.#cache.clear();
    }
    return this.#counts;
  }
}

interface DocumentCounts {
  active: number;
  /** Hidden ones and those of inactive servers included. */
  indexed: number;
}
