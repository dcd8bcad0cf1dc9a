import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';
import { stopWords } from './stop-words.ts';

/** More words than a sensible query has: a pasted document must not become a query of a thousand terms. */
const maxTerms = 48;

/** The distinct search terms of a query without stop words; all of them where nothing else is left. */
export function queryTerms(text: string): string[] {
  return [...new Set(tellingWords(text).map(stem))].slice(0, maxTerms);
}

/** The words behind `queryTerms`, as they are written. */
export function tellingWords(text: string): string[] {
  const telling = withoutStopWords(text);
  return telling.length > 0 ? telling : wordsOf(text);
}

/** Whether a text holds so many distinct words that say something. */
export function saysSomething(text: string, minWords: number): boolean {
  return new Set(withoutStopWords(text)).size >= minWords;
}

function withoutStopWords(text: string): string[] {
  return wordsOf(text).filter((word) => !stopWords().has(word));
}
