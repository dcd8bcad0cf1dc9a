import type { EraVerdict } from '../model/index.ts';

/**
 * What is known of a server's era is doubted when it fails: a verdict that an opening failed with is left out the next
 * time, and used again the time after, since the server may be another one by now or only have been away. One that said
 * it is modern and ended before it did anything is started as an old one.
 */
export class EraDoubt {
  #isVerdictDoubted = false;
  #isModernDoubted = false;
  /** True once the session has answered anything but the question for its revision. */
  #hasAnswered = false;

  /** True when another opening would be in the other era. */
  get isModernDoubted(): boolean {
    return this.#isModernDoubted;
  }

  /** What the next opening should go by. */
  verdict(known: EraVerdict | undefined): EraVerdict | undefined {
    if (this.#isModernDoubted) return { era: 'legacy', protocolVersion: '', decidedAt: Date.now() };
    return this.#isVerdictDoubted ? undefined : known;
  }

  openingFailed(): void {
    this.#isVerdictDoubted = !this.#isVerdictDoubted;
    this.#isModernDoubted = false;
  }

  opened(): void {
    this.#isVerdictDoubted = false;
    this.#isModernDoubted = false;
    this.#hasAnswered = false;
  }

  answered(): void {
    this.#hasAnswered = true;
  }

  /** The connection ended by itself. */
  broke({ era }: EraVerdict): void {
    this.#isModernDoubted = era === 'modern' && !this.#hasAnswered;
  }
}
