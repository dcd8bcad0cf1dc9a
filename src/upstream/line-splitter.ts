const newline = 0x0a;
/** Bytes kept of either end of a line that is too long: enough to tell what it is. */
const endKeptBytes = 1024;

/** What is left of a line that was too long. */
export interface LongLine {
  head: string;
  tail: string;
  bytes: number;
  /** False while more of it may come. */
  isComplete: boolean;
}

/**
 * Cuts a byte stream into lines. Chunks are kept as they come and joined once per line, so that the work for a
 * large message grows with its size and not with its size times the number of chunks. Of a line that is too long only the
 * two ends are kept, and `onLongLine` hears of it with each chunk.
 */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #pendingBytes = 0;
  /** Of a line that is too long. */
  #head: Buffer | undefined;
  readonly #maxBytes: number;
  readonly #onLongLine: (line: LongLine) => void;

  /** @param maxBytes longest line that is given. */
  constructor(maxBytes: number, onLongLine: (line: LongLine) => void) {
    this.#maxBytes = maxBytes;
    this.#onLongLine = onLongLine;
  }

  /** The lines that this chunk completes, without their line ends (`\n` or `\r\n`). */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline, start); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      if (this.#head === undefined) lines.push(this.#take());
      else this.#endLongLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    if (this.#head !== undefined) this.#tell(false);
    return lines;
  }

  /** What is left after the last line end. */
  rest(): string {
    return this.#take();
  }

  #keep(part: Buffer): void {
    this.#pendingBytes += part.length;
    this.#chunks.push(part);
    if (this.#head === undefined && this.#pendingBytes <= this.#maxBytes) return;
    const kept = Buffer.concat(this.#chunks);
    this.#head ??= Buffer.from(kept.subarray(0, endKeptBytes));
    // A copy, since a part would hold the whole chunk.
    this.#chunks = [Buffer.from(kept.subarray(-endKeptBytes))];
  }

  #endLongLine(): void {
    this.#tell(true);
    this.#head = undefined;
    this.#take();
  }

  #tell(isComplete: boolean): void {
    const tail = Buffer.concat(this.#chunks).toString('utf8');
    this.#onLongLine({ head: String(this.#head), tail, bytes: this.#pendingBytes, isComplete });
  }

  #take(): string {
    const line = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = [];
    this.#pendingBytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
