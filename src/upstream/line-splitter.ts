const newline = 0x0a;

/**
 * Cuts a byte stream into lines. Chunks are kept as they come and joined once per line, so that the work for a
 * large message grows with its size and not with its size times the number of chunks.
 */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #pendingBytes = 0;
  readonly #maxBytes: number;

  /** @param maxBytes longest line; a longer one makes `push` throw `RangeError`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that this chunk completes, without their line ends (`\n` or `\r\n`). */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline, start); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What is left after the last line end. */
  rest(): string {
    return this.#take();
  }

  #keep(part: Buffer): void {
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > this.#maxBytes) {
      this.#chunks = [];
      this.#pendingBytes = 0;
      throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    this.#chunks.push(part);
  }

  #take(): string {
    const line = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = [];
    this.#pendingBytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
