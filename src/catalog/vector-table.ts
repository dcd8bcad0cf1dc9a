import type { VectorMatrix, VectorStore } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { indexState, type PendingTexts } from './pending-texts.ts';
import type { ServerTable } from './server-table.ts';
import { decodeVector, encodeVector, scaleBytes } from './vector-code.ts';
import { VectorRows } from './vector-rows.ts';

const activeTexts = `tool_embedding e JOIN tool t ON t.key = e.tool_key
  JOIN temp.active_server a ON a.pk = t.server_pk`;

/** Of one model, with a sequence number above the one given. */
const embeddedTexts = `vector v CROSS JOIN tool_embedding e INDEXED BY tool_embedding_by_text ON e.text_key = v.text_key
  WHERE v.model_id = ? AND v.sequence > ?`;

/** What is known of one model's vectors at one state of the file, so that the embedding job asks without a full scan. */
interface Progress {
  generation: number;
  vectorGeneration: number;
  texts: number;
  embedded: number;
}

/** All active texts of tools before this key have vectors. Vectors only go with their text, which changes the generation. */
interface Resume {
  generation: string;
  toolKey: number;
}

/** Vectors by text and model, see `encodeVector`. They are only added, each with a higher sequence number than all before. */
export class VectorTable implements VectorStore {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #pending: PendingTexts;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #progress = new Map<string, Progress>();
  readonly #resume = new Map<string, Resume>();
  #configurations = 0;
  #active: { state: string; isActive: Uint8Array } | undefined;

  constructor(database: Database, counters: Counters, servers: ServerTable, pending: PendingTexts) {
    this.#database = database;
    this.#counters = counters;
    this.#servers = servers;
    this.#pending = pending;
    this.#statements = prepare(database);
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetActive(): void {
    this.#progress.clear();
    this.#resume.clear();
    this.#configurations += 1;
    this.#active = undefined;
  }

  vectorGeneration(): number {
    return this.#counters.read('vector_generation') + this.#counters.read('index_generation');
  }

  coverage(modelId: string): { texts: number; embedded: number } {
    const { texts, embedded } = this.#currentProgress(modelId) ?? this.#countProgress(modelId);
    this.#servers.refreshActive();
    // A tool whose texts are still to be made will have one at least.
    return { texts: texts + (this.#statements.textless.get() as number), embedded };
  }

  /** Where there are too few, texts are made here as well, about as many as are wanting: a tool has two as a rule. */
  missing(modelId: string, limit: number): MissingText[] {
    if (limit < 1) return [];
    const made = this.#missingMade(modelId, limit);
    const wanting = limit - made.length;
    const firstMade = wanting > 0 ? this.#pending.some(Math.ceil(wanting / 2)) : undefined;
    return firstMade === undefined ? made : this.#missingMade(modelId, limit, firstMade);
  }

  /** Looks from where it found the first one last, or from `earliest` if that comes before. */
  #missingMade(modelId: string, limit: number, earliest = Number.POSITIVE_INFINITY): MissingText[] {
    const generation = this.#textGeneration();
    this.#servers.refreshActive();
    const resume = this.#resume.get(modelId);
    const from = resume?.generation === generation ? Math.min(resume.toolKey, earliest) : 0;
    const found = new Map<string, string>();
    let firstKey: number | undefined;
    for (const row of this.#statements.missing.iterate(from, modelId) as IterableIterator<MissingRow>) {
      firstKey ??= row.toolKey;
      found.set(row.textHash, row.text);
      if (found.size >= limit) break;
    }
    if (firstKey !== undefined) this.#resume.set(modelId, { generation, toolKey: firstKey });
    return [...found].map(([textHash, text]) => ({ textHash, text }));
  }

  get(modelId: string, textHashes: readonly string[]): Map<string, Float32Array> {
    const found = new Map<string, Float32Array>();
    for (const textHash of textHashes) {
      const code = this.#statements.value.get(textHash, modelId) as Buffer | undefined;
      if (code !== undefined && code.byteLength > scaleBytes) found.set(textHash, decodeVector(code));
    }
    return found;
  }

  /** A text that went while it was being embedded is left out; one that has its vector already keeps it. */
  put(modelId: string, vectors: readonly { textHash: string; vector: Float32Array }[]): void {
    const putAll = this.#database.transaction(() => {
      const progress = this.#currentProgress(modelId);
      let added = 0;
      for (const { textHash, vector } of vectors) {
        const textKey = this.#statements.textKey.get(textHash);
        if (textKey === undefined) continue;
        const { changes } = this.#statements.put.run(textKey, modelId, encodeVector(vector));
        if (changes > 0 && this.#statements.isActive.get(textKey) === 1) added += 1;
      }
      this.#counters.bump('vector_generation');
      return progress && { ...progress, embedded: progress.embedded + added };
    });
    const progress = putAll.immediate();
    if (progress) this.#progress.set(modelId, { ...progress, vectorGeneration: progress.vectorGeneration + 1 });
  }

  matrix(modelId: string, since?: string): VectorMatrix {
    return this.#database.transaction(() => this.#matrix(modelId, since))();
  }

  #matrix(modelId: string, since: string | undefined): VectorMatrix {
    const state = `${this.#textGeneration()}/${this.#configurations}/${modelId}`;
    const [earlierState, earlierSequence, earlierDimensions] = parseMark(since);
    const isContinuation = earlierState === state;
    const after = isContinuation ? earlierSequence : 0;
    const isActive = this.#activeTools(state);
    const capacity = this.#statements.matrixRows.get(modelId, after) as number;
    const rows = new VectorRows(isContinuation ? earlierDimensions : 0, capacity);
    let sequence = after;
    for (const [toolKey, ordinal, code, at] of this.#statements.matrix.iterate(
      modelId,
      after,
    ) as IterableIterator<MatrixRow>) {
      sequence = at;
      if (isActive[toolKey] === 1) rows.add(toolKey, ordinal, code);
    }
    return { ...rows.matrix(), mark: JSON.stringify([state, sequence, rows.dimensions]), isContinuation };
  }

  /** 1 at the key of each active tool: asked for every vector, for which a join is too slow. */
  #activeTools(state: string): Uint8Array {
    if (this.#active?.state === state) return this.#active.isActive;
    this.#servers.refreshActive();
    const keys = this.#statements.activeTools.all() as number[];
    const isActive = new Uint8Array(keys.reduce((max, key) => Math.max(max, key), 0) + 1);
    for (const key of keys) isActive[key] = 1;
    this.#active = { state, isActive };
    return isActive;
  }

  /** Changes when tools, or the texts that are made of them, do. */
  #textGeneration(): string {
    return `${this.#counters.read('generation')}/${this.#counters.read('index_generation')}`;
  }

  /** Undefined when this or another process has written since it was counted. */
  #currentProgress(modelId: string): Progress | undefined {
    const progress = this.#progress.get(modelId);
    const isCurrent =
      progress?.generation === this.#counters.read('generation') &&
      progress.vectorGeneration === this.vectorGeneration();
    return isCurrent ? progress : undefined;
  }

  #countProgress(modelId: string): Progress {
    const progress: Progress = {
      generation: this.#counters.read('generation'),
      vectorGeneration: this.vectorGeneration(),
      texts: 0,
      embedded: 0,
    };
    this.#servers.refreshActive();
    const isAllActive = this.#statements.isAllActive.get() === 1;
    Object.assign(progress, this.#statements[isAllActive ? 'coverageOfAll' : 'coverage'].get({ modelId }));
    this.#progress.set(modelId, progress);
    return progress;
  }
}

type MissingText = ReturnType<VectorStore['missing']>[number];

interface MissingRow extends MissingText {
  toolKey: number;
}

type MatrixRow = [toolKey: number, ordinal: number, code: Buffer, sequence: number];

function parseMark(mark: string | undefined): [state: string | undefined, sequence: number, dimensions: number] {
  return mark === undefined ? [undefined, 0, 0] : JSON.parse(mark);
}

function prepare(database: Database) {
  return {
    coverage: database.prepare(
      `SELECT count(DISTINCT e.text_key) AS texts, count(DISTINCT v.text_key) AS embedded
       FROM ${activeTexts} LEFT JOIN vector v ON v.text_key = e.text_key AND v.model_id = @modelId WHERE t.hidden = 0`,
    ),
    // As a rule every tool in the file is active. Counting rows of one index then takes a sixth of the time of the join.
    isAllActive: database
      .prepare(
        `SELECT NOT EXISTS (SELECT 1 FROM tool WHERE hidden <> 0 OR server_pk NOT IN (SELECT pk FROM temp.active_server))`,
      )
      .pluck(),
    coverageOfAll: database.prepare(
      `SELECT (SELECT count(*) FROM embedding_text) AS texts,
         (SELECT count(*) FROM vector WHERE model_id = @modelId) AS embedded`,
    ),
    textless: database
      .prepare(
        `SELECT count(*) FROM tool t INDEXED BY tool_to_index JOIN temp.active_server a ON a.pk = t.server_pk
         WHERE index_state < ${indexState.current} AND index_state = ${indexState.absent} AND t.hidden = 0
           AND NOT EXISTS (SELECT 1 FROM tool_embedding e WHERE e.tool_key = t.key)`,
      )
      .pluck(),
    // CROSS JOIN holds SQLite to this order of tables: rows come by key without sorting, and reading stops early.
    missing: database.prepare(
      `SELECT e.tool_key AS toolKey, x.hash AS textHash, x.text
       FROM tool_embedding e CROSS JOIN tool t ON t.key = e.tool_key CROSS JOIN temp.active_server a ON a.pk = t.server_pk
       CROSS JOIN embedding_text x ON x.key = e.text_key
       WHERE e.tool_key >= ? AND t.hidden = 0
         AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.text_key = e.text_key AND v.model_id = ?)
       ORDER BY e.tool_key, e.ordinal`,
    ),
    value: database
      .prepare(
        `SELECT v.value FROM vector v JOIN embedding_text x ON x.key = v.text_key WHERE x.hash = ? AND v.model_id = ?`,
      )
      .pluck(),
    textKey: database.prepare('SELECT key FROM embedding_text WHERE hash = ?').pluck(),
    isActive: database
      .prepare(`SELECT EXISTS (SELECT 1 FROM ${activeTexts} WHERE e.text_key = ? AND t.hidden = 0)`)
      .pluck(),
    put: database.prepare('INSERT INTO vector (text_key, model_id, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    activeTools: database
      .prepare(
        `SELECT t.key FROM temp.active_server a CROSS JOIN tool t INDEXED BY tool_by_activity ON t.server_pk = a.pk
         WHERE t.hidden = 0`,
      )
      .pluck(),
    matrixRows: database.prepare(`SELECT count(*) FROM ${embeddedTexts}`).pluck(),
    matrix: database
      .prepare(`SELECT e.tool_key, e.ordinal, v.value, v.sequence FROM ${embeddedTexts} ORDER BY v.sequence`)
      .raw(),
  };
}
