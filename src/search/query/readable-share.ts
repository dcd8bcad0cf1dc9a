const letters = /\p{L}/gu;
const latinLetter = /\p{Script=Latin}/u;

/**
 * Share of a text's letters that the English embedding model can read, 0–1; 1 for a text without letters. It knows
 * Latin words of other languages well enough to help, other scripts as single characters at best.
 */
export function readableShare(text: string): number {
  const all = text.match(letters) ?? [];
  if (all.length === 0) return 1;
  return all.filter((letter) => latinLetter.test(letter)).length / all.length;
}
