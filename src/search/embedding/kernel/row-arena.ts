/** Rows of 8-bit values in blocks, and their dot products with a query. */
export interface RowArena {
  /** Columns of a row with its padding, which is 0. */
  readonly stride: number;
  /** Makes room for `rowsPerBlock` more rows and returns the number of the block. */
  addBlock(): number;
  /** Forgets all blocks but the scratch block and keeps their memory for new ones. */
  clear(): void;
  /** Sets the values of one row, at most `stride`. */
  write(block: number, index: number, values: Int8Array): void;
  /** The values of one row; valid until the next block is added. */
  row(block: number, index: number): Int8Array;
  /** Dot products of `query` (`stride` values) with the first `count` rows of a block, written to `out` from `offset`. */
  dots(query: Int16Array, block: number, count: number, out: Int32Array, offset: number): void;
}

/** Some hundred kilobytes a block: a small catalog wastes little, and a call is long enough to cost nothing. */
export const rowsPerBlock = 1_024;

/** The columns that the kernel takes at once. */
const columnsPerStep = 16;

export function strideOf(dimensions: number): number {
  return Math.max(columnsPerStep, Math.ceil(dimensions / columnsPerStep) * columnsPerStep);
}

/** A block that every arena has from the start, for rows that are multiplied once and forgotten. */
export const scratchBlock = 0;
