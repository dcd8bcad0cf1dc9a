import type { Statement } from 'better-sqlite3';
import type { KeywordIndex, KeywordMatch, KeywordRequest } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { matchAny, usableTerms } from './match-any.ts';
import type { PendingTexts } from './pending-texts.ts';
import type { ServerTable } from './server-table.ts';
import { TermFrequencies } from './term-frequencies.ts';

/** Words beyond this say nothing new about what is wanted, and each costs a pass over its matches. */
const maxTerms = 64;
/** Matches read past the limit, so that tools with one score are ordered by name and not by when they were stored. */
const tieMargin = 20;

/** BM25 by SQLite FTS5 (Robertson & Zaragoza 2009; k1 1.2, b 0.75) over the analyser's tokens. */
export class KeywordTable implements KeywordIndex {
  readonly #servers: ServerTable;
  readonly #pending: PendingTexts;
  readonly #frequencies: TermFrequencies;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, counters: Counters, servers: ServerTable, pending: PendingTexts) {
    this.#servers = servers;
    this.#pending = pending;
    this.#frequencies = new TermFrequencies(database, counters, servers);
    this.#statements = prepare(database);
  }

  /** Tools with one score come by exposed name; those of a group that goes far past the limit, by age. */
  search({ terms, weights, limit, serverId, within, maxPostings }: KeywordRequest): KeywordMatch[] {
    this.#pending.flush();
    const usable = usableTerms(terms).slice(0, maxTerms);
    const match = matchAny(maxPostings === undefined ? usable : this.#rarest(usable, maxPostings));
    if (match === undefined || limit < 1) return [];
    this.#servers.refreshActive();
    // Where every indexed tool is active, no tool row need be read to leave any out.
    const isWhole = serverId === undefined && within === undefined && this.#frequencies.isWhole();
    const statement = within === undefined ? 'searchSome' : 'searchWithin';
    const found = this.#statements[isWhole ? 'searchAll' : statement].all({
      ...weights,
      match,
      limit: limit + tieMargin,
      ...(isWhole ? {} : { serverId: serverId ?? null }),
      ...(within === undefined ? {} : { within: keysAsJson(within) }),
    }) as [number, number][];
    return this.#byNameWithinTies(found, limit).map(([toolKey, score]) => ({ toolKey, score }));
  }

  documentFrequencies(
    terms: readonly string[],
    within?: ReadonlySet<number>,
  ): { frequencies: Map<string, number>; documents: number } {
    this.#pending.flush();
    if (within !== undefined) return this.#frequencies.within(terms, keysAsJson(within));
    return {
      frequencies: this.#frequencies.of(terms),
      documents: this.#frequencies.documents(),
    };
  }

  profiles(keys: readonly number[]): Map<number, Uint8Array> {
    this.#pending.flush();
    return new Map(this.#statements.profiles.all(JSON.stringify(keys)) as [number, Uint8Array][]);
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetCounts(): void {
    this.#frequencies.forget();
  }

  #rarest(terms: readonly string[], maxPostings: number): string[] {
    const rarestFirst = [...this.#frequencies.of(terms)]
      .map(([term, frequency]) => ({ term, frequency }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => a.frequency - b.frequency);
    let postings = 0;
    const isAffordable = ({ frequency }: { frequency: number }, index: number) => {
      postings += frequency;
      return index === 0 || postings <= maxPostings;
    };
    return rarestFirst.filter(isAffordable).map(({ term }) => term);
  }

  #byNameWithinTies(found: [number, number][], limit: number): [number, number][] {
    const nameOf = (key: number) => this.#statements.exposedName.get(key) as string;
    for (let start = 0; start < Math.min(found.length, limit); ) {
      const score = found[start]?.[1];
      let end = start + 1;
      while (found[end]?.[1] === score) end += 1;
      if (end - start > 1) {
        const named = found.slice(start, end).map((match) => ({ match, name: nameOf(match[0]) }));
        named.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
        found.splice(start, end - start, ...named.map(({ match }) => match));
      }
      start = end;
    }
    return found.slice(0, limit);
  }
}

const jsonOfKeys = new WeakMap<ReadonlySet<number>, string>();

/** Written once for each set: a caller of a scope brings the same one until tools change. */
function keysAsJson(keys: ReadonlySet<number>): string {
  const json = jsonOfKeys.get(keys) ?? JSON.stringify([...keys]);
  jsonOfKeys.set(keys, json);
  return json;
}

/** Sorting by a call of `bm25` keeps only the best; `ORDER BY rank` sorts all matches, in twice the time. */
const score = '-bm25(tool_text, @name, @title, @description, @parameters, @server) AS score';

function searchActive(condition: string): string {
  return `SELECT tool_text.rowid AS toolKey, ${score}
    FROM tool_text
    JOIN tool t ON t.key = tool_text.rowid
    JOIN temp.active_server a ON a.pk = t.server_pk
    WHERE tool_text MATCH @match AND t.hidden = 0 AND (@serverId IS NULL OR a.id = @serverId) ${condition}
    ORDER BY score DESC, toolKey LIMIT @limit`;
}

function prepare(
  database: Database,
): Record<'searchAll' | 'searchSome' | 'searchWithin' | 'exposedName' | 'profiles', Statement> {
  return {
    searchAll: database
      .prepare(
        `SELECT rowid AS toolKey, ${score} FROM tool_text WHERE tool_text MATCH @match
       ORDER BY score DESC, toolKey LIMIT @limit`,
      )
      .raw(),
    searchSome: database.prepare(searchActive('')).raw(),
    searchWithin: database.prepare(searchActive('AND t.key IN (SELECT value FROM json_each(@within))')).raw(),
    exposedName: database.prepare('SELECT exposed_name FROM tool WHERE key = ?').pluck(),
    profiles: database
      .prepare('SELECT tool_key, value FROM tool_profile WHERE tool_key IN (SELECT value FROM json_each(?))')
      .raw(),
  };
}
