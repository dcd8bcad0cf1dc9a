import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ToolcribError } from '../errors/index.ts';
import type { JsonValue } from '../model/index.ts';

/** A result that was cut, whole. */
export interface StoredResult {
  text: string;
  /** What JSON pointers lead into, where the text is not JSON itself. */
  structured?: JsonValue;
  /** Characters of `structured` as JSON. */
  structuredChars?: number;
}

/** Results kept of one caller: more than one conversation looks back on. */
const handlesMaxPerCaller = 50;
/** Characters kept of one caller: the largest message that is read from a server fits. */
const charsMaxPerCaller = 64 * 1024 * 1024;
/** … and of all: bounds the memory. The longest unused make room. */
const charsMax = 128 * 1024 * 1024;
const handlesMax = 1_000;
/** From the last use on: a conversation comes back to a result within minutes. */
export const handleTtlMs = 30 * 60_000;

/** 128 random bits: nobody guesses one. */
const handleBytes = 16;

interface Entry extends StoredResult {
  principal: string;
}

/** Keeps what was cut from results, for the caller whose result it was and no other, in memory. */
export class ResultStore {
  readonly #entries: LRUCache<string, Entry>;

  constructor({ ttlMs = handleTtlMs, now }: { ttlMs?: number; now?: () => number } = {}) {
    this.#entries = new LRUCache<string, Entry>({
      max: handlesMax,
      maxSize: charsMax,
      sizeCalculation: sizeOf,
      ttl: ttlMs,
      updateAgeOnGet: true,
      ...(now === undefined ? {} : { perf: { now }, ttlResolution: 0 }),
    });
  }

  /** The handle; undefined for a result that is too large to keep. */
  put(principal: string, result: StoredResult): string | undefined {
    const entry = { ...result, principal };
    const size = sizeOf(entry);
    if (size > charsMaxPerCaller) return undefined;
    this.#makeRoom(principal, size);
    const handle = `r_${randomBytes(handleBytes).toString('base64url')}`;
    this.#entries.set(handle, entry);
    return handle;
  }

  /** Throws `handle_expired`, in the same words for a handle that never was and for that of another caller. */
  get(principal: string, handle: string): StoredResult {
    const isOwn = this.#entries.peek(handle)?.principal === principal;
    const entry = isOwn ? this.#entries.get(handle) : undefined;
    if (entry !== undefined) return entry;
    throw new ToolcribError('handle_expired', 'There is no result of this handle, or not any more.');
  }

  /** One caller never costs another theirs, as long as there is room at all. */
  #makeRoom(principal: string, size: number): void {
    // From the longest unused to the last used.
    const own = [...this.#entries.rkeys()].flatMap((handle) => {
      const entry = this.#entries.peek(handle);
      return entry?.principal === principal ? [{ handle, size: sizeOf(entry) }] : [];
    });
    let chars = own.reduce((sum, entry) => sum + entry.size, size);
    for (const [index, entry] of own.entries()) {
      const isRoom = chars <= charsMaxPerCaller && own.length - index < handlesMaxPerCaller;
      if (isRoom) return;
      this.#entries.delete(entry.handle);
      chars -= entry.size;
    }
  }
}

function sizeOf({ text, structuredChars = 0 }: StoredResult): number {
  return text.length + structuredChars + 1;
}
