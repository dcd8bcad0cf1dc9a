import { dotKernelCode } from './dot-kernel-code.ts';
import { type RowArena, rowsPerBlock, scratchBlock, strideOf } from './row-arena.ts';

interface Kernel {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  dots(query: number, rows: number, count: number, stride: number, out: number): void;
}

const pageBytes = 65_536;
/** The kernel takes rows by fours; what it computes past the last one is not read. */
const rowsPerStep = 4;
const outBytes = rowsPerBlock * Int32Array.BYTES_PER_ELEMENT;

let compiled: WebAssembly.Module | undefined;

/** Rows in the memory of a WebAssembly module that multiplies eight at a time: results first, the query, then the blocks. */
export class WasmArena implements RowArena {
  readonly stride: number;
  readonly #kernel: Kernel;
  readonly #blocksAt: number;
  readonly #blockBytes: number;
  #used = 0;
  #made = 0;
  #bytes: Int8Array;

  /** Throws where the engine has no WebAssembly, no SIMD in it, or no memory left for it. */
  constructor(dimensions: number) {
    compiled ??= new WebAssembly.Module(Buffer.from(dotKernelCode, 'base64'));
    this.#kernel = new WebAssembly.Instance(compiled).exports as unknown as Kernel;
    this.stride = strideOf(dimensions);
    this.#blocksAt = outBytes + this.stride * Int16Array.BYTES_PER_ELEMENT;
    this.#blockBytes = rowsPerBlock * this.stride;
    this.#bytes = new Int8Array(this.#kernel.memory.buffer);
    this.addBlock();
  }

  addBlock(): number {
    if (this.#used === this.#made) this.#makeBlock();
    else this.#bytes.fill(0, this.#start(this.#used), this.#start(this.#used + 1));
    return this.#used++;
  }

  clear(): void {
    this.#used = scratchBlock + 1;
  }

  write(block: number, index: number, values: Int8Array): void {
    this.#bytes.set(values, this.#start(block) + index * this.stride);
  }

  row(block: number, index: number): Int8Array {
    const start = this.#start(block) + index * this.stride;
    return this.#bytes.subarray(start, start + this.stride);
  }

  dots(query: Int16Array, block: number, count: number, out: Int32Array, offset: number): void {
    new Int16Array(this.#bytes.buffer, outBytes, this.stride).set(query);
    const steps = Math.ceil(count / rowsPerStep);
    this.#kernel.dots(outBytes, this.#start(block), steps * rowsPerStep, this.stride, 0);
    out.set(new Int32Array(this.#bytes.buffer, 0, count), offset);
  }

  #start(block: number): number {
    return this.#blocksAt + block * this.#blockBytes;
  }

  #makeBlock(): void {
    const missingBytes = this.#start(this.#made + 1) - this.#bytes.byteLength;
    if (missingBytes > 0) {
      this.#kernel.memory.grow(Math.ceil(missingBytes / pageBytes));
      // Growing takes the old buffer away.
      this.#bytes = new Int8Array(this.#kernel.memory.buffer);
    }
    this.#made += 1;
  }
}
