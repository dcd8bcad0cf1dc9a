import type { VectorMatrix, VectorStore } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { ServerTable } from './server-table.ts';

const activeTexts = `embedding_text e JOIN tool t ON t.key = e.tool_key
  JOIN temp.active_server a ON a.pk = t.server_pk`;

/** Vectors keyed by text and model: little-endian 32-bit floats. */
export class VectorTable implements VectorStore {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, counters: Counters, servers: ServerTable) {
    this.#database = database;
    this.#counters = counters;
    this.#servers = servers;
    this.#statements = prepare(database);
  }

  vectorGeneration(): number {
    return this.#counters.read('vector_generation');
  }

  coverage(modelId: string): { texts: number; embedded: number } {
    this.#servers.refreshActive();
    return this.#statements.coverage.get(modelId) as { texts: number; embedded: number };
  }

  missing(modelId: string, limit: number): { textHash: string; text: string }[] {
    this.#servers.refreshActive();
    return this.#statements.missing.all(modelId, limit) as { textHash: string; text: string }[];
  }

  /** A text that went while it was being embedded is left out. */
  put(modelId: string, vectors: readonly { textHash: string; vector: Float32Array }[]): void {
    const putAll = this.#database.transaction(() => {
      for (const { textHash, vector } of vectors)
        this.#statements.put.run(textHash, modelId, toBytes(vector), textHash);
      this.#counters.bump('vector_generation');
    });
    putAll.immediate();
  }

  matrix(modelId: string): VectorMatrix {
    this.#servers.refreshActive();
    const rows = this.#statements.matrix.all(modelId) as { key: number; ordinal: number; value: Buffer }[];
    const dimensions = rows[0] === undefined ? 0 : rows[0].value.byteLength / Float32Array.BYTES_PER_ELEMENT;
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
      bytes.set(row.value, index * dimensions * Float32Array.BYTES_PER_ELEMENT);
    });
    return matrix;
  }
}

function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function prepare(database: Database) {
  return {
    coverage: database.prepare(
      `SELECT count(DISTINCT e.text_hash) AS texts, count(DISTINCT v.text_hash) AS embedded
       FROM ${activeTexts} LEFT JOIN vector v ON v.text_hash = e.text_hash AND v.model_id = ?`,
    ),
    missing: database.prepare(
      `SELECT DISTINCT e.text_hash AS textHash, e.text FROM ${activeTexts}
       WHERE NOT EXISTS (SELECT 1 FROM vector v WHERE v.text_hash = e.text_hash AND v.model_id = ?) LIMIT ?`,
    ),
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
