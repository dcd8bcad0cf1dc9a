import type { VectorMatrix } from '../../model/index.ts';
import { createArena } from './kernel/create-arena.ts';
import { encodeQuery } from './kernel/query-code.ts';
import { type RowArena, rowsPerBlock, scratchBlock } from './kernel/row-arena.ts';

/** Fewer rows than this are multiplied one by one. */
const fewRows = 16;

/**
 * The vectors of one kind of text, ready to be compared with a query: by one pass over all of them, exact but for the 8 bits
 * a value that they are stored in. `toolKeys[i]` belongs to row i.
 */
export class VectorScan {
  readonly #arena: RowArena;
  readonly #ordinal: number;
  readonly #dimensions: number;
  readonly #blocks: number[] = [];
  readonly #rowOfKey = new Map<number, number>();
  #toolKeys = new Int32Array(rowsPerBlock);
  #scales = new Float32Array(rowsPerBlock);
  #rowKeys = new Int32Array();
  #count = 0;

  /** Several scans may share an arena. */
  constructor(matrix: VectorMatrix, ordinal: number, arena = createArena(matrix.dimensions)) {
    this.#arena = arena;
    this.#ordinal = ordinal;
    this.#dimensions = matrix.dimensions;
    this.append(matrix);
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  get toolKeys(): Int32Array {
    return this.#rowKeys;
  }

  /** Adds the rows of this kind of text behind those that are there. */
  append(matrix: VectorMatrix): void {
    const { textOrdinals } = matrix;
    for (let row = 0; row < textOrdinals.length; row++) {
      if (textOrdinals[row] === this.#ordinal) this.#add(matrix, row);
    }
    this.#rowKeys = this.#toolKeys.subarray(0, this.#count);
  }

  rowOf(toolKey: number): number | undefined {
    return this.#rowOfKey.get(toolKey);
  }

  /** The cosine of a unit vector with each row. */
  cosines(query: Float32Array): Float32Array {
    const { values, scale } = encodeQuery(query, this.#arena.stride);
    const dots = new Int32Array(this.#count);
    for (const [index, block] of this.#blocks.entries()) {
      const start = index * rowsPerBlock;
      this.#arena.dots(values, block, Math.min(rowsPerBlock, this.#count - start), dots, start);
    }
    const cosines = new Float32Array(this.#count);
    for (let row = 0; row < cosines.length; row++) {
      cosines[row] = (dots[row] as number) * (this.#scales[row] as number) * scale;
    }
    return cosines;
  }

  /** The cosine of a unit vector with each of these tools; NaN where a tool has no vector. */
  cosinesOf(query: Float32Array, toolKeys: readonly number[]): Float32Array {
    const { values, scale } = encodeQuery(query, this.#arena.stride);
    const rows = toolKeys.map((key) => this.#rowOfKey.get(key) ?? -1);
    const dots = this.#dotsOf(values, rows);
    return Float32Array.from(rows, (row, index) =>
      row === -1 ? Number.NaN : (dots[index] as number) * (this.#scales[row] as number) * scale,
    );
  }

  /** The vector of one tool, as far as 8 bits a value say; undefined while it has none. */
  vectorOf(toolKey: number): Float32Array | undefined {
    const row = this.#rowOfKey.get(toolKey);
    if (row === undefined) return undefined;
    const scale = this.#scales[row] as number;
    return Float32Array.from(this.#values(row).subarray(0, this.#dimensions), (value) => value * scale);
  }

  #add({ toolKeys, scales, values, dimensions }: VectorMatrix, from: number): void {
    const row = this.#count++;
    if (row % rowsPerBlock === 0) this.#blocks.push(this.#arena.addBlock());
    if (row === this.#toolKeys.length) this.#grow();
    const block = this.#blocks[this.#blocks.length - 1] as number;
    this.#arena.write(block, row % rowsPerBlock, values.subarray(from * dimensions, (from + 1) * dimensions));
    this.#toolKeys[row] = toolKeys[from] as number;
    this.#scales[row] = scales[from] as number;
    this.#rowOfKey.set(toolKeys[from] as number, row);
  }

  #values(row: number): Int8Array {
    return this.#arena.row(this.#blocks[Math.floor(row / rowsPerBlock)] as number, row % rowsPerBlock);
  }

  /** A few hundred rows are brought together in the arena's own block, where the kernel takes them at once. */
  #dotsOf(query: Int16Array, rows: readonly number[]): Int32Array {
    const dots = new Int32Array(rows.length);
    if (rows.length < fewRows || rows.length > rowsPerBlock) {
      for (const [index, row] of rows.entries()) if (row !== -1) dots[index] = this.#dot(query, row);
      return dots;
    }
    for (const [index, row] of rows.entries())
      if (row !== -1) this.#arena.write(scratchBlock, index, this.#values(row));
    this.#arena.dots(query, scratchBlock, rows.length, dots, 0);
    return dots;
  }

  /** For single rows this is as fast as the kernel, which takes a block. */
  #dot(query: Int16Array, row: number): number {
    const values = this.#values(row);
    let sum = 0;
    for (let column = 0; column < values.length; column++) {
      sum = (sum + (values[column] as number) * (query[column] as number)) | 0;
    }
    return sum;
  }

  #grow(): void {
    const [toolKeys, scales] = [this.#toolKeys, this.#scales];
    this.#toolKeys = new Int32Array(2 * toolKeys.length);
    this.#toolKeys.set(toolKeys);
    this.#scales = new Float32Array(2 * scales.length);
    this.#scales.set(scales);
  }
}
