import type { Statement } from 'better-sqlite3';
import type { KeywordColumn, KeywordIndex, KeywordMatch } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { ServerTable } from './server-table.ts';

/** Words beyond this say nothing new about what is wanted, and each costs a pass over its matches. */
const maxTerms = 64;

/** BM25 by SQLite FTS5 (Robertson & Zaragoza 2009; k1 1.2, b 0.75) over the analyser's tokens. */
export class KeywordTable implements KeywordIndex {
  readonly #servers: ServerTable;
  readonly #counters: Counters;
  readonly #search: Statement;
  readonly #frequency: Statement;
  readonly #count: Statement;
  #documents = 0;
  #documentsAt = -1;

  constructor(database: Database, counters: Counters, servers: ServerTable) {
    this.#servers = servers;
    this.#counters = counters;
    this.#search = database.prepare(
      `SELECT tool_text.rowid AS toolKey,
         -bm25(tool_text, @name, @title, @description, @parameters, @server) AS score
       FROM tool_text
       JOIN tool t ON t.key = tool_text.rowid
       JOIN temp.active_server a ON a.pk = t.server_pk
       WHERE tool_text MATCH @match AND t.hidden = 0 AND (@serverId IS NULL OR a.id = @serverId)
       ORDER BY score DESC, t.exposed_name LIMIT @limit`,
    );
    this.#frequency = database.prepare('SELECT doc FROM tool_term WHERE term = ?').pluck();
    this.#count = database
      .prepare(
        `SELECT count(*) FROM tool t JOIN temp.active_server a ON a.pk = t.server_pk
         WHERE t.hidden = 0 AND t.status <> 'set_aside'`,
      )
      .pluck();
  }

  search(request: {
    terms: readonly string[];
    weights: Record<KeywordColumn, number>;
    limit: number;
    serverId?: string;
  }): KeywordMatch[] {
    const match = matchAny(request.terms);
    if (match === undefined) return [];
    this.#servers.refreshActive();
    return this.#search.all({
      ...request.weights,
      match,
      limit: request.limit,
      serverId: request.serverId ?? null,
    }) as KeywordMatch[];
  }

  documentFrequencies(terms: readonly string[]): { frequencies: Map<string, number>; documents: number } {
    const frequencies = new Map(terms.map((term) => [term, (this.#frequency.get(term) as number | undefined) ?? 0]));
    return { frequencies, documents: this.#documentCount() };
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetCount(): void {
    this.#documentsAt = -1;
  }

  #documentCount(): number {
    const generation = this.#counters.read('generation');
    if (generation !== this.#documentsAt) {
      this.#servers.refreshActive();
      this.#documents = this.#count.get() as number;
      this.#documentsAt = generation;
    }
    return this.#documents;
  }
}

/** Quoted, so that no word of a query is read as an operator of FTS5. */
function matchAny(terms: readonly string[]): string | undefined {
  const usable = [...new Set(terms)].filter((term) => /[\p{L}\p{N}]/u.test(term)).slice(0, maxTerms);
  if (usable.length === 0) return undefined;
  return usable.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}
