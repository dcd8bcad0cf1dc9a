import { readIndexData } from '../index-data.ts';
import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';

export type Polarity = 'read' | 'write' | 'delete';

interface VocabularyFile {
  verbs: { class: string; words: string; phrases: string[]; polarity: Polarity }[];
  synonyms: { from: string; to: string[] }[];
  phrases: { from: string; to: string[] }[];
}

/** What everyday words mean in tool work. Terms are stems, as the analyser makes them. */
export interface Vocabulary {
  /** Classes of the actions that a word may stand for, commonest first; empty for a word that is no verb of tool work. */
  verbClasses(term: string): readonly string[];
  /** All verbs, as terms, with their classes. */
  verbs: ReadonlyMap<string, readonly string[]>;
  polarityOf(verbClass: string): Polarity;
  /** Whether a word, as written, may begin a request. */
  isVerb(word: string): boolean;
  /** Whether it is an English word of tool work. */
  isEnglish(word: string): boolean;
  /** Words that tools use for this everyday word, as terms. */
  synonymsOf(word: string): readonly string[];
  /** Words that tools use for the everyday phrases in a text, as terms. */
  phraseTerms(text: string): string[];
}

let loaded: Vocabulary | undefined;

/** The shipped vocabulary. The file is read at first use. */
export function vocabulary(): Vocabulary {
  loaded ??= toVocabulary(readIndexData('vocabulary.json') as VocabularyFile);
  return loaded;
}

function toVocabulary(file: VocabularyFile): Vocabulary {
  const polarities = new Map(file.verbs.map((verb) => [verb.class, verb.polarity]));
  const classes = verbClassesByTerm(file);
  const verbWords = new Set(file.verbs.flatMap(({ words }) => words.split(' ')));
  const synonyms = new Map(
    file.synonyms.flatMap(({ from, to }) => from.split(' ').map((word) => [word, to.flatMap(termsOf)] as const)),
  );
  const byStem = uniqueStems(synonyms);
  const phrases = phrasesByFirstWord(file);
  const english = new Set([...verbWords, ...synonyms.keys(), ...[...synonyms.values()].flat()]);
  return {
    verbClasses: (term) => classes.get(term) ?? [],
    verbs: classes,
    polarityOf: (verbClass) => polarities.get(verbClass) ?? 'write',
    isVerb: (word) => verbWords.has(word) || (stem(word).length >= minStemCharacters && classes.has(stem(word))),
    isEnglish: (word) => english.has(word) || english.has(stem(word)) || english.has(singular(word)),
    synonymsOf: (word) => synonyms.get(word) ?? synonyms.get(singular(word)) ?? byStem.get(stem(word)) ?? [],
    phraseTerms: (text) => findPhrases(wordsOf(text.replaceAll("'", '')), phrases),
  };
}

function verbClassesByTerm({ verbs }: VocabularyFile): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, string[]>();
  for (const verb of verbs) {
    for (const term of new Set(verb.words.split(' ').map(stem))) {
      const known = classes.get(term);
      if (known === undefined) classes.set(term, [verb.class]);
      else known.push(verb.class);
    }
  }
  return classes;
}

/** Unrelated words share such stems ("news" and "new"). */
const minStemCharacters = 4;

/** Inflected forms are found by their stem, but for stems that entries of different meaning share. */
function uniqueStems(synonyms: ReadonlyMap<string, string[]>): ReadonlyMap<string, readonly string[]> {
  const byStem = new Map<string, string[] | undefined>();
  for (const [word, terms] of synonyms) {
    const key = stem(word);
    const known = byStem.get(key);
    byStem.set(key, !byStem.has(key) || known?.join() === terms.join() ? terms : undefined);
  }
  return new Map(
    [...byStem].flatMap(([key, terms]) =>
      terms === undefined || key.length < minStemCharacters ? [] : [[key, terms] as const],
    ),
  );
}

function singular(word: string): string {
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

interface Phrase {
  words: readonly string[];
  terms: readonly string[];
}

function phrasesByFirstWord({ phrases }: VocabularyFile): ReadonlyMap<string, readonly Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const { from, to } of phrases) {
    const words = wordsOf(from.replaceAll("'", ''));
    const [first] = words;
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { words, terms: to.flatMap(termsOf) }]);
  }
  return byFirst;
}

function findPhrases(words: readonly string[], phrases: ReadonlyMap<string, readonly Phrase[]>): string[] {
  const found = words.flatMap((word, at) =>
    (phrases.get(word) ?? [])
      .filter((phrase) => phrase.words.every((part, offset) => words[at + offset] === part))
      .flatMap(({ terms }) => terms),
  );
  return [...new Set(found)];
}

function termsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}
