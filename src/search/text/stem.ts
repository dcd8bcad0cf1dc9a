import { stemmer } from 'stemmer';

const asciiWord = /^[a-z]{3,}$/;

/** Stems by word: catalogs and queries use few distinct words, and stemming is the dearest step of analysis. */
const cache = new Map<string, string>();
const maxCacheEntries = 20_000;

/** Porter's stem of an English-looking word; every other token as it is. */
export function stem(token: string): string {
  if (!asciiWord.test(token)) return token;
  const known = cache.get(token);
  if (known !== undefined) return known;
  const result = stemmer(token);
  if (cache.size >= maxCacheEntries) cache.clear();
  cache.set(token, result);
  return result;
}
