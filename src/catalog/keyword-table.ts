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
  readonly #activeFrequency: Statement;
  readonly #count: Statement;
  #counts: DocumentCounts = { active: 0, indexed: 0 };
  #countsAt = -1;

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
    this.#activeFrequency = database
      .prepare(
        `SELECT count(*) FROM tool_text
         JOIN tool t ON t.key = tool_text.rowid
         JOIN temp.active_server a ON a.pk = t.server_pk
         WHERE tool_text MATCH ? AND t.hidden = 0`,
      )
      .pluck();
    this.#count = database.prepare(
      `SELECT count(*) AS indexed, coalesce(sum(t.hidden = 0 AND a.pk IS NOT NULL), 0) AS active
       FROM tool t LEFT JOIN temp.active_server a ON a.pk = t.server_pk WHERE t.status <> 'set_aside'`,
    );
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
    const { active, indexed } = this.#documentCounts();
    const frequency = (term: string) => (active === indexed ? this.#indexFrequency(term) : this.#countActive(term));
    return { frequencies: new Map(terms.map((term) => [term, frequency(term)])), documents: active };
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetCount(): void {
    this.#countsAt = -1;
  }

  /** FTS5 keeps this figure for the whole file. */
  #indexFrequency(term: string): number {
    return (this.#frequency.get(term) as number | undefined) ?? 0;
  }

  /** The slower way, where the file holds tools that are hidden or of servers that left the config. */
  #countActive(term: string): number {
    const match = matchAny([term]);
    return match === undefined ? 0 : (this.#activeFrequency.get(match) as number);
  }

  #documentCounts(): DocumentCounts {
    const generation = this.#counters.read('generation');
    if (generation !== this.#countsAt) {
      this.#servers.refreshActive();
      this.#counts = this.#count.get() as DocumentCounts;
      this.#countsAt = generation;
    }
    return this.#counts;
  }
}

interface DocumentCounts {
  active: number;
  /** Hidden ones and those of inactive servers included. */
  indexed: number;
}

/** Quoted, so that no word of a query is read as an operator of FTS5. */
function matchAny(terms: readonly string[]): string | undefined {
  const usable = [...new Set(terms.map(withoutNul))].filter((term) => /[\p{L}\p{N}]/u.test(term)).slice(0, maxTerms);
  if (usable.length === 0) return undefined;
  return usable.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}

/** FTS5 reads its query as a C string, which a NUL would end within the quotes. */
function withoutNul(term: string): string {
  return term.replaceAll('\0', ' ');
}
