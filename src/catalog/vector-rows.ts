import type { VectorMatrix } from '../model/index.ts';
import { scaleBytes } from './vector-code.ts';

/** Collects stored vectors row by row into the arrays of a matrix. */
export class VectorRows {
  #dimensions: number;
  #count = 0;
  readonly #toolKeys: Int32Array;
  readonly #textOrdinals: Int32Array;
  readonly #scales: Float32Array;
  #values: Int8Array;

  /** Room for `capacity` rows. `dimensions` is 0 where the first vector decides. */
  constructor(dimensions: number, capacity: number) {
    this.#dimensions = dimensions;
    this.#toolKeys = new Int32Array(capacity);
    this.#textOrdinals = new Int32Array(capacity);
    this.#scales = new Float32Array(capacity);
    this.#values = new Int8Array(capacity * dimensions);
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** One model makes vectors of one size: another size is a damaged row, which must not stop every search. */
  add(toolKey: number, ordinal: number, code: Buffer): void {
    const dimensions = code.length - scaleBytes;
    if (this.#dimensions === 0) this.#start(dimensions);
    if (dimensions !== this.#dimensions) return;
    const row = this.#count++;
    this.#toolKeys[row] = toolKey;
    this.#textOrdinals[row] = ordinal;
    this.#scales[row] = code.readFloatLE(0);
    this.#values.set(new Int8Array(code.buffer, code.byteOffset + scaleBytes, dimensions), row * dimensions);
  }

  matrix(): Omit<VectorMatrix, 'mark' | 'isContinuation'> {
    return {
      dimensions: this.#dimensions,
      toolKeys: this.#toolKeys.subarray(0, this.#count),
      textOrdinals: this.#textOrdinals.subarray(0, this.#count),
      values: this.#values.subarray(0, this.#count * this.#dimensions),
      scales: this.#scales.subarray(0, this.#count),
    };
  }

  #start(dimensions: number): void {
    this.#dimensions = Math.max(0, dimensions);
    this.#values = new Int8Array(this.#toolKeys.length * this.#dimensions);
  }
}
