import BetterSqlite from 'better-sqlite3';

/**
 * A stored vector is a scale (a 32-bit float) and a byte a value. Crossed vectors keep the scale of the first parent: those of
 * one model differ by little.
 */
const scaleBytes = 4;

/**
 * Gives every text of a closed catalog that has no vector yet one that is made up from two real ones: the first part of
 * one, the second part of the other. It exists so that 100,000 tools can be measured without an hour of embedding; what a
 * search then finds means nothing, what it costs is real. Writes the catalog's tables `embedding_text` and `vector`
 * directly, because the public API rightly has no way to store a vector that no model made. Returns how many were made up.
 */
export function fillVectors(catalogPath: string): number {
  const database = new BetterSqlite(catalogPath);
  try {
    const rows = database
      .prepare('SELECT model_id AS model, value FROM vector ORDER BY sequence')
      .all() as StoredVector[];
    const [sample] = rows;
    if (sample === undefined) throw new Error(`${catalogPath} holds no vector to make others from.`);
    const missing = database
      .prepare('SELECT key FROM embedding_text WHERE key NOT IN (SELECT text_key FROM vector WHERE model_id = ?)')
      .pluck()
      .all(sample.model) as number[];
    const insert = database.prepare('INSERT INTO vector (text_key, model_id, value) VALUES (?, ?, ?)');
    const insertAll = database.transaction(() => {
      for (const [index, textKey] of missing.entries()) insert.run(textKey, sample.model, crossedVector(rows, index));
      database.exec("UPDATE counter SET value = value + 1 WHERE name = 'vector_generation'");
    });
    insertAll.immediate();
    return missing.length;
  } finally {
    database.close();
  }
}

interface StoredVector {
  model: string;
  value: Buffer;
}

/** The pair and the place of the cut follow from the index: no two of the first rows² × places are alike. */
function crossedVector(rows: readonly StoredVector[], index: number): Buffer {
  const first = (rows[index % rows.length] as StoredVector).value;
  const second = (rows[(index * 31 + Math.floor(index / rows.length)) % rows.length] as StoredVector).value;
  const dimensions = first.length - scaleBytes;
  // Between a quarter and three quarters, so that both parents count.
  const cut = scaleBytes + Math.floor(dimensions / 4) + (index % Math.floor(dimensions / 2));
  return Buffer.concat([first.subarray(0, cut), second.subarray(cut)]);
}
