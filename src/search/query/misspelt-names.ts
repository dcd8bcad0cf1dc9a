import { distance } from 'fastest-levenshtein';

/** Shorter names are all within two edits of each other. */
const minCharacters = 5;
/** Up to this length one edit is as much as a name stands. */
const shortCharacters = 7;
const maxMatches = 10;

interface Entry {
  form: string;
  letters: number;
}

/** Names within one or two edits of a text, nearest first (Levenshtein distance). */
export class MisspeltNames {
  readonly #byLength = new Map<number, Entry[]>();

  constructor(forms: readonly string[]) {
    for (const form of forms) {
      const entries = this.#byLength.get(form.length);
      const entry = { form, letters: letterSet(form) };
      if (entries === undefined) this.#byLength.set(form.length, [entry]);
      else entries.push(entry);
    }
  }

  near(text: string): { form: string; edits: number }[] {
    if (text.length < minCharacters) return [];
    const maxEdits = text.length <= shortCharacters ? 1 : 2;
    const letters = letterSet(text);
    const found: { form: string; edits: number }[] = [];
    for (let length = text.length - maxEdits; length <= text.length + maxEdits; length++) {
      for (const entry of this.#byLength.get(length) ?? []) {
        // One edit changes the set of letters in two places at most: most names are told apart without a comparison.
        if (bitCount(entry.letters ^ letters) > 2 * maxEdits) continue;
        const edits = distance(text, entry.form);
        if (edits > 0 && edits <= maxEdits) found.push({ form: entry.form, edits });
      }
    }
    return found.sort((a, b) => a.edits - b.edits || (a.form < b.form ? -1 : 1)).slice(0, maxMatches);
  }
}

/** Which letters occur, as bits; others share a bit. */
function letterSet(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index) - 97;
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
