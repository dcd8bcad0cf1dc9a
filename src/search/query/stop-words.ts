import { readIndexData } from '../index-data.ts';

interface StopWords {
  grammar: string[];
  contractions: string[];
  request: string[];
}

let words: ReadonlySet<string> | undefined;

/** Words, not stemmed, that say nothing about the tool that is sought. Read once. */
export function stopWords(): ReadonlySet<string> {
  if (words === undefined) {
    const { grammar, contractions, request } = readIndexData('stop-words.json') as StopWords;
    words = new Set([...grammar, ...contractions, ...request]);
  }
  return words;
}
