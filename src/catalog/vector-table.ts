import type { VectorMatrix, VectorStore } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { ServerTable } from './server-table.ts';

const activeTexts = `embedding_text e JOIN tool t ON t.key = e.tool_key
  JOIN temp.active_server a ON a.pk = t.server_pk`;

/** What is known of one model's vectors at one state of the file, so that the embedding job asks without a full scan. */
interface Progress {
  generation: number;
  vectorGeneration: number;
  texts: number;
  embedded: number;
}

/** All active texts of tools before this key have vectors. Vectors only go with their text, which changes the generation. */
interface Resume {
  generation: number;
  toolKey: number;
}

/** Vectors keyed by text and model: little-endian 32-bit floats. */
export class VectorTable implements VectorStore {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #progress = new Map<string, Progress>();
  readonly #resume = new Map<string, Resume>();

  constructor(database: Database, counters: Counters, servers: ServerTable) {
    this.#database = database;
    this.#counters = counters;
    this.#servers = servers;
    this.#statements = prepare(database);
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetProgress(): void {
    this.#progress.clear();
    this.#resume.clear();
  }

  vectorGeneration(): number {
    return this.#counters.read('vector_generation');
  }

  coverage(modelId: string): { texts: number; embedded: number } {
    const { texts, embedded } = this.#currentProgress(modelId) ?? this.#countProgress(modelId);
    return { texts, embedded };
  }

  missing(modelId: string, limit: number): { textHash: string; text: string }[] {
    const generation = this.#counters.read('generation');
    this.#servers.refreshActive();
    const resume = this.#resume.get(modelId);
    const from = resume?.generation === generation ? resume.toolKey : 0;
    const found = new Map<string, string>();
    let firstKey: number | undefined;
    if (limit < 1) return [];
    for (const row of this.#statements.missing.iterate(from, modelId) as IterableIterator<MissingRow>) {
      firstKey ??= row.toolKey;
      found.set(row.textHash, row.text);
      if (found.size >= limit) break;
    }
    if (firstKey !== undefined) this.#resume.set(modelId, { generation, toolKey: firstKey });
    return [...found].map(([textHash, text]) => ({ textHash, text }));
  }

  /** A text that went while it was being embedded is left out. */
  put(modelId: string, vectors: readonly { textHash: string; vector: Float32Array }[]): void {
    const putAll = this.#database.transaction(() => {
      const progress = this.#currentProgress(modelId);
      let added = 0;
      for (const { textHash, vector } of vectors) {
        const isNew = this.#statements.isNew.get({ hash: textHash, model: modelId }) === 1;
        this.#statements.put.run(textHash, modelId, toBytes(vector), textHash);
        if (isNew) added += 1;
      }
      this.#counters.bump('vector_generation');
      return progress && { ...progress, embedded: progress.embedded + added };
    });
    const progress = putAll.immediate();
    if (progress) this.#progress.set(modelId, { ...progress, vectorGeneration: progress.vectorGeneration + 1 });
  }

  matrix(modelId: string): VectorMatrix {
    this.#servers.refreshActive();
    const stored = this.#statements.matrix.all(modelId) as { key: number; ordinal: number; value: Buffer }[];
    const rowBytes = stored[0]?.value.byteLength ?? 0;
    const dimensions = rowBytes / Float32Array.BYTES_PER_ELEMENT;
    // One model makes vectors of one size: another size is a damaged row, which must not stop every search.
    const rows = stored.filter(({ value }) => value.byteLength === rowBytes);
    const matrix: VectorMatrix = {
      dimensions,
      toolKeys: new Int32Array(rows.length),
      textOrdinals: new Int32Array(rows.length),
      values: new Float32Array(rows.length * dimensions),
    };
    const bytes = new Uint8Array(matrix.values.buffer);
    rows.forEach((row, index) => {
      matrix.toolKeys[index] = row.key;
      matrix.textOrdinals[index] = row.ordinal;
      bytes.set(row.value, index * rowBytes);
    });
    return matrix;
  }

  /** Undefined when this or another process has written since it was counted. */
  #currentProgress(modelId: string): Progress | undefined {
    const progress = this.#progress.get(modelId);
    const isCurrent =
      progress?.generation === this.#counters.read('generation') &&
      progress.vectorGeneration === this.#counters.read('vector_generation');
    return isCurrent ? progress : undefined;
  }

  #countProgress(modelId: string): Progress {
    const progress: Progress = {
      generation: this.#counters.read('generation'),
      vectorGeneration: this.#counters.read('vector_generation'),
      texts: 0,
      embedded: 0,
    };
    this.#servers.refreshActive();
    Object.assign(progress, this.#statements.coverage.get(modelId));
    this.#progress.set(modelId, progress);
    return progress;
  }
}

interface MissingRow {
  toolKey: number;
  textHash: string;
  text: string;
}

function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function prepare(database: Database) {
  return {
    coverage: database.prepare(
      `SELECT count(DISTINCT e.text_hash) AS texts, count(DISTINCT v.text_hash) AS embedded
       FROM ${activeTexts} LEFT JOIN vector v ON v.text_hash = e.text_hash AND v.model_id = ? WHERE t.hidden = 0`,
    ),
    // CROSS JOIN holds SQLite to this order of tables: rows come by key without sorting, and reading stops early.
    missing: database.prepare(
      `SELECT e.tool_key AS toolKey, e.text_hash AS textHash, e.text
       FROM embedding_text e CROSS JOIN tool t ON t.key = e.tool_key CROSS JOIN temp.active_server a ON a.pk = t.server_pk
       WHERE e.tool_key >= ? AND t.hidden = 0
         AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.text_hash = e.text_hash AND v.model_id = ?)
       ORDER BY e.tool_key, e.ordinal`,
    ),
    isNew: database
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM ${activeTexts} WHERE e.text_hash = @hash AND t.hidden = 0)
           AND NOT EXISTS (SELECT 1 FROM vector WHERE text_hash = @hash AND model_id = @model)`,
      )
      .pluck(),
    put: database.prepare(
      `INSERT OR REPLACE INTO vector (text_hash, model_id, value)
       SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM embedding_text WHERE text_hash = ?)`,
    ),
    matrix: database.prepare(
      `SELECT e.tool_key AS key, e.ordinal, v.value
       FROM ${activeTexts} JOIN vector v ON v.text_hash = e.text_hash AND v.model_id = ?
       WHERE t.hidden = 0 ORDER BY e.tool_key, e.ordinal`,
    ),
  };
}
