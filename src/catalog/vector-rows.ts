import type { VectorMatrix } from '../model/index.ts';
import { scaleBytes } from './vector-code.ts';

/** Rows that room is made for at first; more is made as they come. */
const firstCapacity = 1_024;

/** Collects stored vectors row by row into the arrays of a matrix. */
export class VectorRows {
  #dimensions: number;
  #count = 0;
  #toolKeys = new Int32Array(firstCapacity);
  #textOrdinals = new Int32Array(firstCapacity);
  #scales = new Float32Array(firstCapacity);
  #values: Int8Array<ArrayBuffer>;

  /** `dimensions` is 0 where the first vector decides. */
  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#values = new Int8Array(firstCapacity * dimensions);
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** One model makes vectors of one size: another size is a damaged row, which must not stop every search. */
  add(toolKey: number, ordinal: number, code: Buffer): void {
    const dimensions = code.length - scaleBytes;
    if (this.#dimensions === 0) this.#start(dimensions);
    if (dimensions !== this.#dimensions) return;
    if (this.#count === this.#toolKeys.length) this.#grow();
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
    this.#values = new Int8Array(firstCapacity * this.#dimensions);
  }

  #grow(): void {
    const capacity = 2 * this.#toolKeys.length;
    this.#toolKeys = copyInto(new Int32Array(capacity), this.#toolKeys);
    this.#textOrdinals = copyInto(new Int32Array(capacity), this.#textOrdinals);
    this.#scales = copyInto(new Float32Array(capacity), this.#scales);
    this.#values = copyInto(new Int8Array(capacity * this.#dimensions), this.#values);
  }
}

function copyInto<Values extends { set(values: Values): void }>(target: Values, values: Values): Values {
  target.set(values);
  return target;
}
