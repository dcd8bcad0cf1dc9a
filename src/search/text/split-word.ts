import { segment, unspacedScripts } from './segment.ts';

/**
 * One run of letters, marks and numbers to lower-case parts: at case changes, between letters and digits, and between
 * scripts. A word that falls into parts is kept whole as well, so that `GitHub` is found by `github` and by `git hub`.
 */
export function splitWord(word: string): string[] {
  return word.split(scriptBoundary).flatMap((run) => {
    if (run === '') return [];
    return unspacedScripts.test(run) ? segment(run) : splitSpaced(run);
  });
}

/** Keeps the separators: each run of a script without spaces is an entry of its own. */
const scriptBoundary = new RegExp(`(${unspacedScripts.source}+)`, 'u');

/** `HTTPServer` breaks before `Server`, but the plural `URLs` stays in one piece. */
const caseBoundary = /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?:\p{Lu}|$))\p{Ll})/u;
const digitBoundary = /(?<=\p{N})(?=\p{L})|(?<=[\p{L}\p{M}])(?=\p{N})/u;

/** More parts than any sensible identifier has: the rest of such a word stays in one piece. */
const maxParts = 12;

function splitSpaced(run: string): string[] {
  const parts = run.split(caseBoundary).flatMap((part) => part.split(digitBoundary));
  const folded = parts
    .slice(0, maxParts)
    .map(fold)
    .filter((part) => part !== '');
  if (parts.length === 1) return folded;
  const whole = fold(run);
  return whole === '' ? folded : [...folded, whole];
}

/** Lower case; accents are dropped from Latin letters, where people leave them out when they type. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return latinAccent.test(lower) ? lower.normalize('NFD').replace(latinMark, '$1').normalize('NFC') : lower;
}

const latinAccent = /[\u00C0-\u024F\u1E00-\u1EFF]|\p{M}/u;
const latinMark = /(\p{Script=Latin})\p{M}+/gu;
