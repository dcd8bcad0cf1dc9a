import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';
import { stopWords } from './stop-words.ts';

/** More words than a sensible query has: a pasted document must not become a query of a thousand terms. */
const maxTerms = 48;

/** The distinct search terms of a query without stop words; all of them where nothing else is left. */
export function queryTerms(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !stopWords().has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(stem))].slice(0, maxTerms);
}
