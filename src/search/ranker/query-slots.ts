import { type ToolProfile, termHash } from './tool-profile.ts';

/**
 * The words that one query asks about, each with a place: a tool's many words are looked through once, and what is asked
 * about it is then read by place.
 */
export class QuerySlots {
  readonly #slots = new Map<string, number>();
  readonly #byHash = new Map<number, number>();
  /** Most words of a tool are not asked about: whether one may be is told without a look-up. */
  readonly #mayHold = new Uint8Array(filterMask + 1);

  constructor(terms: Iterable<string>) {
    for (const term of terms) {
      if (this.#slots.has(term)) continue;
      const hash = termHash(term);
      const slot = this.#byHash.get(hash) ?? this.#byHash.size;
      this.#slots.set(term, slot);
      this.#byHash.set(hash, slot);
      this.#mayHold[hash & filterMask] = 1;
    }
  }

  /** The place of a term that was given to the constructor. */
  of(term: string): number {
    return this.#slots.get(term) ?? unknownSlot;
  }

  /** The place of a word of a tool; `unknownSlot` for one that is not asked about. */
  ofHash(hash: number): number {
    return this.#mayHold[hash & filterMask] === 0 ? unknownSlot : (this.#byHash.get(hash) ?? unknownSlot);
  }

  /** The occurrences of each term in a tool, by place; 0 for one that it does not hold. */
  read({ numbers, wordCount }: ToolProfile): Uint32Array {
    const found = new Uint32Array(this.#byHash.size);
    for (let index = 0; index < wordCount; index++) {
      const slot = this.ofHash(numbers[index] as number);
      if (slot !== unknownSlot) found[slot] = numbers[wordCount + index] as number;
    }
    return found;
  }
}

export const unknownSlot = -1;
const filterMask = 1_023;
