import type { VectorMatrix, VectorStore } from '../../model/index.ts';
import { createArena } from './kernel/create-arena.ts';
import type { RowArena } from './kernel/row-arena.ts';
import { VectorScan } from './vector-scan.ts';

/**
 * The scans of one model, in step with the store: only vectors that came since the last time are read. All scans lie in
 * one arena, whose memory is used again when tools have changed and every vector is read anew.
 */
export class VectorScans {
  readonly #store: VectorStore;
  readonly #modelId: string;
  #scans = new Map<number, VectorScan>();
  #arena: { rows: RowArena; dimensions: number } | undefined;
  #mark: string | undefined;

  constructor(store: VectorStore, modelId: string) {
    this.#store = store;
    this.#modelId = modelId;
  }

  /** Reads what the store has got or lost since the last call; true where that was anything. */
  refresh(): boolean {
    const matrix = this.#store.matrix(this.#modelId, this.#mark);
    this.#mark = matrix.mark;
    if (matrix.isContinuation && matrix.textOrdinals.length === 0) return false;
    if (!matrix.isContinuation) this.#scans = new Map();
    const rows = this.#arenaFor(matrix);
    for (const ordinal of new Set(matrix.textOrdinals)) {
      const scan = this.#scans.get(ordinal);
      if (scan === undefined) this.#scans.set(ordinal, new VectorScan(matrix, ordinal, rows));
      else scan.append(matrix);
    }
    return true;
  }

  /** The vectors of the texts with this ordinal: as of the last `refresh`, and only until the next. */
  of(ordinal: number): VectorScan {
    return this.#scans.get(ordinal) ?? new VectorScan(noVectors, ordinal);
  }

  #arenaFor({ dimensions, isContinuation }: VectorMatrix): RowArena {
    if (this.#arena?.dimensions !== dimensions) this.#arena = { rows: createArena(dimensions), dimensions };
    else if (!isContinuation) this.#arena.rows.clear();
    return this.#arena.rows;
  }
}

const noVectors: VectorMatrix = {
  dimensions: 0,
  toolKeys: new Int32Array(),
  textOrdinals: new Int32Array(),
  values: new Int8Array(),
  scales: new Float32Array(),
  mark: '',
  isContinuation: false,
};
