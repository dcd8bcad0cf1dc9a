import BetterSqlite from 'better-sqlite3';

/** Vectors are crossed at multiples of this, so that no number is cut apart, however wide. */
const unitBytes = 4;

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
      .prepare('SELECT model_id AS model, value FROM vector ORDER BY text_hash')
      .all() as StoredVector[];
    const [sample] = rows;
    if (sample === undefined) throw new Error(`${catalogPath} holds no vector to make others from.`);
    const missing = database
      .prepare(
        `SELECT DISTINCT text_hash FROM embedding_text
         WHERE text_hash NOT IN (SELECT text_hash FROM vector WHERE model_id = ?)`,
      )
      .pluck()
      .all(sample.model) as string[];
    const insert = database.prepare('INSERT INTO vector (text_hash, model_id, value) VALUES (?, ?, ?)');
    const insertAll = database.transaction(() => {
      for (const [index, textHash] of missing.entries()) insert.run(textHash, sample.model, crossedVector(rows, index));
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
  const units = first.length / unitBytes;
  // Between a quarter and three quarters, so that both parents count.
  const cut = (Math.floor(units / 4) + (index % Math.floor(units / 2))) * unitBytes;
  return Buffer.concat([first.subarray(0, cut), second.subarray(cut)]);
}
