import type { Database } from './database.ts';
import type { ServerTable } from './server-table.ts';

/** Definition tokens of one server's callable tools. */
export interface ServerTokens {
  serverId: string;
  tools: number;
  /** Exact where counted, else estimated from the size. */
  tokens: number;
  /** How many tools are only estimated. */
  uncounted: number;
}

/** A definition whose tokens are to be counted, as it is stored: reading it as a tool would scan it before its turn. */
export interface UncountedTool {
  key: number;
  toolName: string;
  hash: string;
  /** JSON. */
  definition: string;
}

/** Whose counts a file holds that does not say. */
const defaultTokenizer = 'o200k_base';

/** Bytes of JSON a token in o200k, over the definitions of 66 real servers (5.30 MB, 1.25 M tokens). */
const bytesPerToken = 4.25;

const countable = "t.hidden = 0 AND t.status <> 'set_aside' AND t.hold <> 'quarantined'";

/** The token count of each definition: a fact that is filled in after ingest. */
export class TokenCounts {
  readonly #database: Database;
  readonly #servers: ServerTable;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, servers: ServerTable) {
    this.#database = database;
    this.#servers = servers;
    this.#statements = prepare(database);
  }

  useTokenizer(name: string): void {
    // A file without the mark holds counts of the default tokenizer.
    const read = this.#database.prepare("SELECT value FROM meta WHERE key = 'tokenizer'").pluck();
    if ((read.get() ?? defaultTokenizer) === name) return;
    const forgetOthers = this.#database.transaction(() => {
      this.#database.exec('UPDATE tool SET tokens = NULL');
      this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('tokenizer', ?)").run(name);
    });
    forgetOthers.immediate();
  }

  uncounted(limit: number): UncountedTool[] {
    this.#servers.refreshActive();
    return this.#statements.uncounted.all(limit) as UncountedTool[];
  }

  set(counts: readonly { key: number; hash: string; tokens: number }[]): void {
    const setAll = this.#database.transaction(() => {
      for (const { key, hash, tokens } of counts) this.#statements.set.run(tokens, key, hash);
    });
    setAll.immediate();
  }

  perServer(): ServerTokens[] {
    this.#servers.refreshActive();
    return this.#statements.perServer.all() as ServerTokens[];
  }
}

function prepare(database: Database) {
  return {
    uncounted: database.prepare(
      `SELECT t.key, t.name AS toolName, t.hash, d.definition
       FROM tool t JOIN temp.active_server a ON a.pk = t.server_pk JOIN tool_definition d ON d.tool_key = t.key
       WHERE t.tokens IS NULL AND ${countable} LIMIT ?`,
    ),
    set: database.prepare('UPDATE tool SET tokens = ? WHERE key = ? AND hash = ?'),
    perServer: database.prepare(
      `SELECT a.id AS serverId, count(*) AS tools,
         CAST(round(sum(coalesce(t.tokens, t.definition_bytes / ${bytesPerToken}))) AS INTEGER) AS tokens,
         sum(t.tokens IS NULL) AS uncounted
       FROM tool t JOIN temp.active_server a ON a.pk = t.server_pk
       WHERE ${countable} GROUP BY a.pk ORDER BY a.position`,
    ),
  };
}
