import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

/** A longer token is a hash, a key or an attack; its head is kept so that it can still be found. */
const maxTokenCharacters = 64;

const words = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Text to search tokens: total over any string, the same for tools and queries. Tokens hold letters, marks and
 * numbers alone. Identifiers are split (`createIssue`, `create_issue`, `v2`), Latin words stemmed and freed of accents,
 * scripts without spaces cut into bigrams or words.
 */
export function tokenize(text: string): string[] {
  return (text.normalize('NFKC').match(words) ?? []).flatMap(tokensOf);
}

/** The same without stemming: for comparing words as they are written. */
export function wordsOf(text: string): string[] {
  return (text.normalize('NFKC').match(words) ?? []).flatMap(partsOf);
}

/** Tokens by word: catalogs and queries use few distinct words, and splitting and stemming are dear. */
const cache = new Map<string, string[]>();
const maxCacheEntries = 20_000;
/** Long words are rare and would make the cache large. */
const maxCachedCharacters = 32;

function tokensOf(word: string): string[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const tokens = partsOf(word).map(stem);
  if (word.length > maxCachedCharacters) return tokens;
  if (cache.size >= maxCacheEntries) cache.clear();
  cache.set(word, tokens);
  return tokens;
}

function partsOf(word: string): string[] {
  return splitWord(word).map(cut);
}

/** Cuts by code points, so that no surrogate pair is torn. */
function cut(token: string): string {
  return token.length <= maxTokenCharacters ? token : [...token].slice(0, maxTokenCharacters).join('');
}
