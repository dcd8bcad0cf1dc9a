import BetterSqlite from 'better-sqlite3';
import type { ToolSet } from '../data/load-tools.ts';
import type { Arm, ArmAnswer } from './arm.ts';
import { type ToolDocument, toolDocuments } from './documents.ts';
import { withoutStopWords, wordsOf } from './words.ts';

export interface Fts5ArmOptions {
  /** Default: in memory. */
  file?: string;
  /** Default false: every word of the query is searched. */
  dropStopWords?: boolean;
}

/**
 * Plain SQLite FTS5, as one would set it up in an afternoon: names as they are, `porter unicode61`, the words of the query
 * joined by OR, BM25 with equal column weights.
 */
export class Fts5Arm implements Arm {
  readonly name = 'fts5';
  readonly #database: BetterSqlite.Database;
  readonly #search: BetterSqlite.Statement;
  readonly #dropStopWords: boolean;

  constructor({ file = ':memory:', dropStopWords = false }: Fts5ArmOptions = {}) {
    this.#dropStopWords = dropStopWords;
    this.#database = new BetterSqlite(file);
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = NORMAL');
    this.#database.exec(
      `CREATE VIRTUAL TABLE tool USING fts5 (
         name, description, parameters, server, label UNINDEXED, tokenize = 'porter unicode61')`,
    );
    // `rank` is bm25() with equal weights, in the form that FTS5 sorts fastest.
    this.#search = this.#database.prepare(
      'SELECT label, -rank AS score FROM tool WHERE tool MATCH ? ORDER BY rank LIMIT ?',
    );
  }

  async index(toolSet: ToolSet): Promise<void> {
    this.add(toolDocuments(toolSet));
  }

  /** Adds documents in one transaction. */
  add(documents: Iterable<ToolDocument>): void {
    const insert = this.#database.prepare(
      'INSERT INTO tool (name, description, parameters, server, label) VALUES (?, ?, ?, ?, ?)',
    );
    const addAll = this.#database.transaction(() => {
      for (const { name, description, parameters, server, label } of documents) {
        insert.run(name, description, parameters, server, label);
      }
    });
    addAll.immediate();
  }

  async search(query: string, limit: number): Promise<ArmAnswer> {
    const words = this.#dropStopWords ? withoutStopWords(wordsOf(query)) : wordsOf(query);
    if (words.length === 0) return { ranked: [] };
    const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ');
    const rows = this.#search.all(match, limit) as { label: string; score: number }[];
    const [best] = rows;
    return { ranked: rows.map(({ label }) => label), ...(best === undefined ? {} : { topScore: best.score }) };
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
