import { wordsOf } from '../text/tokenize.ts';
import { type CjkLanguage, type LatinLanguage, latinLanguages, type WordList, wordList } from './lexicon.ts';
import { stopWords } from './stop-words.ts';
import { vocabulary } from './vocabulary.ts';

const hangul = /\p{Script=Hangul}/u;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const han = /\p{Script=Han}/u;
const latinWord = /^[\p{Script=Latin}\p{N}]/u;

/** Longest query that is glossed; tool descriptions pasted whole are not queries. */
const maxQueryCharacters = 1_000;

/**
 * A word-for-word English reading of a query in another language, for catalogs in English: known words replaced, names
 * and unknown Latin words kept, everything else dropped. Undefined for English and where no word is known.
 */
export function glossQuery(query: string): string | undefined {
  const text = query.slice(0, maxQueryCharacters).normalize('NFKC').toLowerCase();
  const cjk = cjkLanguageOf(text);
  const words = cjk === undefined ? glossLatin(text) : glossCjk(text, wordList(cjk));
  return words === undefined || words.length === 0 ? undefined : words.join(' ');
}

function cjkLanguageOf(text: string): CjkLanguage | undefined {
  if (hangul.test(text)) return 'ko';
  if (kana.test(text)) return 'ja';
  return han.test(text) ? 'zh' : undefined;
}

/** At each place the longest known word; Latin words between are kept. */
function glossCjk(text: string, list: WordList): string[] | undefined {
  const words: string[] = [];
  let known = 0;
  for (const piece of text.split(/([\p{Script=Latin}\p{N}_.-]+)/u)) {
    if (latinWord.test(piece)) {
      words.push(piece);
      continue;
    }
    const english = knownWords(piece, list);
    known += english.length;
    words.push(...english);
  }
  return known === 0 ? undefined : [...new Set(words)];
}

function knownWords(piece: string, { words, maxLength }: WordList): string[] {
  const found: string[] = [];
  for (let start = 0; start < piece.length; ) {
    let length = Math.min(maxLength, piece.length - start);
    while (length > 0 && !words.has(piece.slice(start, start + length))) length--;
    if (length > 0) found.push(words.get(piece.slice(start, start + length)) as string);
    start += Math.max(1, length);
  }
  return found;
}

function glossLatin(text: string): string[] | undefined {
  const words = wordsOf(text);
  const language = latinLanguageOf(text, words);
  if (language === undefined) return undefined;
  const list = wordList(language);
  return [...new Set(words.filter((word) => !list.functionWords.has(word)).map((word) => lookUp(word, list) ?? word))];
}

/** Letters that English words do without. */
const foreignLetter = /[ãõñßçøåäöüâêîôûàèùìòáéíóú¿¡]/u;
const contentWordShare = 0.5;

/**
 * The language with more function words than English has; words that are both say nothing. Where neither has any, letters
 * that English does without decide. Content words are shared too widely to tell, but choose between languages that have
 * as much of the rest.
 */
function latinLanguageOf(text: string, words: readonly string[]): LatinLanguage | undefined {
  const letters = foreignLetter.test(text) ? 1 : 0;
  let best: { language: LatinLanguage; score: number } | undefined;
  for (const language of latinLanguages) {
    const list = wordList(language);
    const english = words.filter((word) => stopWords().has(word) && !list.functionWords.has(word)).length;
    const own = words.filter((word) => list.functionWords.has(word) && !stopWords().has(word)).length;
    const shared = words.filter((word) => list.functionWords.has(word) && stopWords().has(word)).length;
    const known = words.filter((word) => lookUp(word, list) !== undefined).length;
    // Two words without any grammar ("eliminar archivo") count where all are known, and none of them in English.
    const isAllKnown = known === words.length && !words.some(isEnglish);
    if (!isAllKnown && (own + letters <= english || own + known === 0)) continue;
    const score = own + contentWordShare * (shared + known);
    if (score > (best?.score ?? 0)) best = { language, score };
  }
  return best?.language;
}

function isEnglish(word: string): boolean {
  return stopWords().has(word) || vocabulary().isEnglish(word);
}

function lookUp(word: string, { words, prefixes }: WordList): string | undefined {
  return words.get(word) ?? prefixes.find(([prefix]) => word.startsWith(prefix))?.[1];
}
