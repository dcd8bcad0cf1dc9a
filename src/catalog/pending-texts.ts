import type { IndexableTool } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { TextIndex } from './text-index.ts';

/** Tools between two looks at the clock: some milliseconds of work. */
const toolsPerSlice = 8;
/**
 * A search that follows an ingest at once indexes at most so many tools before it answers, half a second of work. The rest
 * of a larger list is found when its turn has come.
 */
const maxFlushedTools = 2_000;
/** Readers read anew whenever the generation of the index grows, so it does not grow with each slice. */
const bumpIntervalMs = 1_000;

/**
 * The tools whose keywords and embedding texts are still to be made. Ingest only notes them, so that it holds nobody up:
 * analysing and indexing a large list takes several times as long as storing it. What is noted outlives the process.
 */
export class PendingTexts {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #texts: TextIndex;
  readonly #statements: ReturnType<typeof prepare>;
  #flushedAt = -1;
  #bumpedAt = Number.NEGATIVE_INFINITY;
  #isBumpDue = false;

  constructor(database: Database, counters: Counters, texts: TextIndex) {
    this.#database = database;
    this.#counters = counters;
    this.#texts = texts;
    this.#statements = prepare(database);
  }

  /** Works for about `limitMs`; true when something is left. */
  step(limitMs: number): boolean {
    const giveUpAt = performance.now() + limitMs;
    let isLeft = true;
    do ({ isLeft } = this.#slice('waiting', toolsPerSlice));
    while (isLeft && performance.now() < giveUpAt);
    this.#bumpIfDue(!isLeft);
    return isLeft;
  }

  /** Does at most `limit` tools; returns the lowest key among them. */
  some(limit: number): number | undefined {
    const { keys, isLeft } = this.#slice('waiting', limit);
    this.#bumpIfDue(!isLeft);
    return keys.length === 0 ? undefined : Math.min(...keys);
  }

  /** Before a search: what was listed a moment ago must be found. */
  flush(): void {
    const generation = this.#counters.read('generation');
    if (generation === this.#flushedAt) return;
    try {
      const isLeft = this.#statements.isAnyAbsent.get() === 1 && this.#slice('absent', maxFlushedTools).isLeft;
      this.#bumpIfDue(true);
      if (!isLeft) this.#flushedAt = generation;
    } catch (error) {
      // A search answers from what is there when nothing can be written, for instance on a full disk.
      if (!isWriteFault(error)) throw error;
    }
  }

  /** Another process may be at the same tools: each transaction reads them anew. */
  #slice(which: 'waiting' | 'absent', limit: number): { keys: number[]; isLeft: boolean } {
    if (this.#statements.isAny.get() === 0) return { keys: [], isLeft: false };
    const indexSome = this.#database.transaction(() => {
      const rows = this.#statements[which].all(limit) as PendingRow[];
      for (const row of rows) {
        if (row.status === 'set_aside' || row.hold === 'quarantined') this.#texts.remove(row.key);
        else this.#texts.replace(row.key, indexable(row));
        this.#statements.done.run(row.key);
      }
      return rows.map(({ key }) => key);
    });
    const keys = indexSome.immediate();
    if (keys.length > 0) this.#isBumpDue = true;
    return { keys, isLeft: keys.length === limit };
  }

  #bumpIfDue(isEnd: boolean): void {
    if (!this.#isBumpDue || (!isEnd && performance.now() - this.#bumpedAt < bumpIntervalMs)) return;
    this.#counters.bump('index_generation');
    this.#bumpedAt = performance.now();
    this.#isBumpDue = false;
  }
}

function isWriteFault(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR)/.test(String((error as { code?: unknown }).code));
}

/** In the order in which they are worked off: what cannot be found yet comes before what is found by older tokens. */
export const indexState = { absent: 0, outdated: 1, current: 2 } as const;

interface PendingRow {
  key: number;
  serverId: string;
  serverDescription: string;
  toolName: string;
  status: string;
  hold: string;
  definition: string;
  inputSchema: string | null;
}

function indexable(row: PendingRow): IndexableTool {
  const definition = JSON.parse(row.definition);
  return {
    serverId: row.serverId,
    toolName: row.toolName,
    inputSchema: row.inputSchema === null ? definition.inputSchema : JSON.parse(row.inputSchema),
    ...(typeof definition.title === 'string' ? { title: definition.title } : {}),
    ...(typeof definition.description === 'string' ? { description: definition.description } : {}),
    ...(row.serverDescription === '' ? {} : { serverDescription: row.serverDescription }),
  };
}

function prepare(database: Database) {
  // The index holds what is below `current` alone, and is used only where the query says so in the same words.
  const tools = (condition: string) =>
    database.prepare(
      `SELECT t.key, s.id AS serverId, s.description AS serverDescription, t.name AS toolName, t.status, t.hold,
         d.definition, d.input_schema AS inputSchema
       FROM tool t INDEXED BY tool_to_index JOIN server s ON s.pk = t.server_pk
         JOIN tool_definition d ON d.tool_key = t.key
       WHERE index_state < ${indexState.current} AND ${condition} ORDER BY t.index_state, t.key LIMIT ?`,
    );
  return {
    waiting: tools('true'),
    absent: tools(`index_state = ${indexState.absent}`),
    isAny: database
      .prepare(`SELECT EXISTS (SELECT 1 FROM tool INDEXED BY tool_to_index WHERE index_state < ${indexState.current})`)
      .pluck(),
    isAnyAbsent: database
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM tool INDEXED BY tool_to_index
           WHERE index_state < ${indexState.current} AND index_state = ${indexState.absent})`,
      )
      .pluck(),
    done: database.prepare(`UPDATE tool SET index_state = ${indexState.current} WHERE key = ?`),
  };
}
