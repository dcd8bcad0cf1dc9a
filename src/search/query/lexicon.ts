import { readIndexData } from '../index-data.ts';
import { wordsOf } from '../text/tokenize.ts';

/** Languages written without the Latin script's spaces and word boundaries. */
export type CjkLanguage = 'ko' | 'ja' | 'zh';
export type LatinLanguage = 'es' | 'de' | 'fr' | 'pt';

const cjkLanguages: readonly CjkLanguage[] = ['ko', 'ja', 'zh'];
export const latinLanguages: readonly LatinLanguage[] = ['es', 'de', 'fr', 'pt'];

interface LexiconFile {
  functionWords: Record<LatinLanguage, string>;
  entries: ({ en: string } & Partial<Record<CjkLanguage | LatinLanguage, string>>)[];
}

/** Words of one language with their English counterpart. */
export interface WordList {
  /** Whole words, folded; for Chinese, Japanese and Korean any string of characters. */
  words: ReadonlyMap<string, string>;
  /** Beginnings of words, longest first. */
  prefixes: readonly [prefix: string, english: string][];
  functionWords: ReadonlySet<string>;
  /** Characters of the longest entry in `words`. */
  maxLength: number;
}

let lists: Map<string, WordList> | undefined;

/** The lexicon of one language. The file is read at first use. */
export function wordList(language: CjkLanguage | LatinLanguage): WordList {
  lists ??= readLists();
  return lists.get(language) as WordList;
}

function readLists(): Map<string, WordList> {
  const file = readIndexData('lexicon.json') as LexiconFile;
  return new Map([...cjkLanguages, ...latinLanguages].map((language) => [language, toWordList(file, language)]));
}

function toWordList({ entries, functionWords }: LexiconFile, language: CjkLanguage | LatinLanguage): WordList {
  const words = new Map<string, string>();
  const prefixes: [string, string][] = [];
  for (const entry of entries) {
    for (const form of (entry[language] ?? '').split(' ').filter(Boolean)) {
      const folded = isCjk(language) ? form.toLowerCase() : fold(form.replace('*', ''));
      if (form.endsWith('*')) prefixes.push([folded, entry.en]);
      // The first entry wins: the file has the commoner meaning first.
      else if (!words.has(folded)) words.set(folded, entry.en);
    }
  }
  return {
    words,
    prefixes: prefixes.sort(([a], [b]) => b.length - a.length),
    functionWords: new Set(isCjk(language) ? [] : wordsOf(functionWords[language])),
    maxLength: [...words.keys()].reduce((longest, word) => Math.max(longest, word.length), 0),
  };
}

function isCjk(language: CjkLanguage | LatinLanguage): language is CjkLanguage {
  return cjkLanguages.some((other) => other === language);
}

function fold(word: string): string {
  return wordsOf(word)[0] ?? '';
}
