import { readFileSync } from 'node:fs';

/** Words of a text: runs of letters, marks and digits, lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The same with identifiers split: `createPullRequest_v2` → create, pull, request, v, 2. */
export function splitWordsOf(text: string): string[] {
  return wordsOf(text.replace(identifierBoundary, ' '));
}

const identifierBoundary =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

/** Without words that say nothing about a tool; all of them where nothing else would be left. */
export function withoutStopWords(words: readonly string[]): string[] {
  stopWords ??= readStopWords();
  const telling = words.filter((word) => !stopWords?.has(word));
  return telling.length > 0 ? telling : [...words];
}

let stopWords: ReadonlySet<string> | undefined;

/** The list that the product ships, so that no arm is behind for want of one. */
function readStopWords(): ReadonlySet<string> {
  const text = readFileSync(new URL('../../index-data/stop-words.json', import.meta.url), 'utf8');
  const { grammar, contractions, request } = JSON.parse(text) as Record<string, string[]>;
  return new Set([...(grammar ?? []), ...(contractions ?? []), ...(request ?? [])]);
}
