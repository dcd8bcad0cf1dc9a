import type { KeywordColumn } from '../../model/index.ts';
import { vocabulary } from '../query/vocabulary.ts';
import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';

/**
 * A tool as the ranking sees it: which words it holds, where and how often. Made once, at ingest, and stored as bytes:
 * thousands are read in a search and kept in memory, so words are numbers in one array.
 */
export interface ToolProfile {
  /**
   * Hashes of the words, each once; where and how often each occurs, in the same order (see `partsOf` and `frequencyOf`); then
   * hashes of the name's words without those of the server's id, which all its tools share.
   */
  numbers: Uint32Array;
  wordCount: number;
  /** Classes of the verb that says what the tool does; empty where none was found. */
  verbClasses: readonly string[];
}

/** Bits of `partsOf`; the title counts as the name. */
export const part = { name: 1, description: 2, parameters: 4, server: 8 } as const;
const partBits = 4;
/** Frequencies are kept to three decimals: they reach a few dozen at most. */
const frequencyUnit = 1_000;

/** The parts of a tool that hold a word, as bits of `part`; 0 for a word that it does not hold. */
export function partsOf(occurrences: number): number {
  return occurrences & ((1 << partBits) - 1);
}

/** How often a word occurs, weighted by where, relative to the length that is usual there (BM25F). */
export function frequencyOf(occurrences: number): number {
  return (occurrences >> partBits) / frequencyUnit;
}

/** The number that stands for a term: FNV-1a (Fowler, Noll & Vo), 32 bits. That two terms of one search share it is as good as impossible. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Where a name has no verb, the description mostly begins with one ("Creates an issue"). */
const verbWords = 2;
/** Saying a word more often than this in one place is no description but bait. */
const maxOccurrences = 4;
/** BM25's length normalisation (Robertson & Zaragoza 2009). */
const b = 0.5;

/** How much an occurrence counts by where it is, and the length that is usual there. */
const columns: readonly { column: KeywordColumn; part: number; weight: number; usualLength: number }[] = [
  { column: 'name', part: part.name, weight: 5, usualLength: 4 },
  { column: 'title', part: part.name, weight: 2, usualLength: 4 },
  { column: 'description', part: part.description, weight: 1, usualLength: 40 },
  { column: 'parameters', part: part.parameters, weight: 0.5, usualLength: 60 },
  { column: 'server', part: part.server, weight: 2, usualLength: 3 },
];

/**
 * The stored form, made of the tokens of each column, in 32-bit numbers: how many words there are and how many candidates
 * for the verb, hashes of the latter, then `ToolProfile.numbers`.
 */
export function encodeProfile(serverId: string, keywords: Record<KeywordColumn, string>): Uint8Array {
  const words = occurrencesByWord(keywords);
  const name = split(keywords.name);
  const serverTerms = termsOfServer(serverId);
  const coreName = [...new Set(name.filter((term) => !serverTerms.includes(term)))];
  const verbCandidates = [...name, ...split(keywords.description).slice(0, verbWords)];
  const numbers = Uint32Array.from([
    words.size,
    verbCandidates.length,
    ...verbCandidates.map(termHash),
    ...[...words.keys()].map(termHash),
    ...words.values(),
    ...coreName.map(termHash),
  ]);
  return new Uint8Array(numbers.buffer);
}

const headerLength = 2;

/** Undefined for bytes that `encodeProfile` did not make, such as those of a tool that could not be analysed. */
export function decodeProfile(bytes: Uint8Array): ToolProfile | undefined {
  if (bytes.byteLength % Uint32Array.BYTES_PER_ELEMENT !== 0) return undefined;
  const stored = new Uint32Array(Uint8Array.from(bytes).buffer);
  const [wordCount = 0, verbs = 0] = stored;
  const numbersAt = headerLength + verbs;
  if (stored.length < numbersAt + 2 * wordCount || stored.length < headerLength) return undefined;
  const classes = verbClassesByHash();
  const verb = stored.subarray(headerLength, numbersAt).find((hash) => classes.has(hash));
  return {
    numbers: stored.subarray(numbersAt),
    wordCount,
    verbClasses: verb === undefined ? [] : (classes.get(verb) ?? []),
  };
}

/** Whether a word of a tool, by its hash, is a verb of tool work. */
export function isVerb(hash: number): boolean {
  return verbClassesByHash().has(hash);
}

let verbClasses: ReadonlyMap<number, readonly string[]> | undefined;

function verbClassesByHash(): ReadonlyMap<number, readonly string[]> {
  verbClasses ??= new Map([...vocabulary().verbs].map(([term, classes]) => [termHash(term), classes]));
  return verbClasses;
}

function occurrencesByWord(texts: Record<KeywordColumn, string>): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const { column, part: bit, weight, usualLength } of columns) {
    const terms = split(texts[column]);
    const unit = Math.round((frequencyUnit * weight) / (1 - b + (b * terms.length) / usualLength)) << partBits;
    const seen = new Map<string, number>();
    for (const term of terms) {
      const occurrences = seen.get(term) ?? 0;
      if (occurrences === maxOccurrences) continue;
      seen.set(term, occurrences + 1);
      words.set(term, ((words.get(term) ?? 0) + unit) | bit);
    }
  }
  return words;
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

const serverTermsKept = 5_000;
const serverTerms = new Map<string, readonly string[]>();

/** The terms of a server's id. Kept, since they are asked for with each of its tools. */
export function termsOfServer(serverId: string): readonly string[] {
  let terms = serverTerms.get(serverId);
  if (terms === undefined) {
    terms = wordsOf(serverId).map(stem);
    if (serverTerms.size >= serverTermsKept) serverTerms.clear();
    serverTerms.set(serverId, terms);
  }
  return terms;
}
