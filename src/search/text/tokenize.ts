import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

/** A longer token is a hash, a key or an attack; its head is kept so that it can still be found. */
const maxTokenCharacters = 64;

const words = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Text to search tokens: total over any string, the same for tools and queries. Tokens hold letters, marks and
 * numbers alone. Identifiers are split (`createIssue`, `create_issue`, `v2`), Latin words stemmed and freed of accents, scripts
 * without spaces cut into bigrams or words.
 */
export function tokenize(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The same without stemming: for comparing words as they are written. */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(words)) {
    for (const part of splitWord(word)) found.push(cut(part));
  }
  return found;
}

/** Cuts by code points, so that no surrogate pair is torn. */
function cut(token: string): string {
  return token.length <= maxTokenCharacters ? token : [...token].slice(0, maxTokenCharacters).join('');
}
