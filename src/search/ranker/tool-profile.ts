import type { KeywordColumn, ToolName } from '../../model/index.ts';
import { vocabulary } from '../query/vocabulary.ts';
import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';

/** A tool as the ranking sees it: its analysed words, and what it does with what. Thousands are kept, so it is compact. */
export interface ToolProfile {
  /** Where and how often each term occurs, as one number: see `partsOf` and `frequencyOf`. */
  words: ReadonlyMap<string, number>;
  /** Terms of the name without those of the server's id, which all its tools share. */
  coreNameTerms: readonly string[];
  /** Classes of the verb that says what the tool does; empty where none was found. */
  verbClasses: readonly string[];
}

/** Bits of `partsOf`; the title counts as the name. */
export const part = { name: 1, description: 2, parameters: 4, server: 8 } as const;
const partBits = 4;
/** Frequencies are kept to three decimals: they reach a few dozen at most. */
const frequencyUnit = 1_000;

/** The parts of a tool that hold a term, as bits of `part`; 0 for a term that it does not hold. */
export function partsOf({ words }: ToolProfile, term: string): number {
  return (words.get(term) ?? 0) & ((1 << partBits) - 1);
}

/** How often a term occurs, weighted by where, relative to the length that is usual there (BM25F). */
export function frequencyOf({ words }: ToolProfile, term: string): number {
  return ((words.get(term) ?? 0) >> partBits) / frequencyUnit;
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

/** `texts` are the tokens that the analyser made, separated by spaces. */
export function toolProfile({ serverId }: ToolName, texts: Record<KeywordColumn, string>): ToolProfile {
  const name = split(texts.name);
  const verbOf = (terms: readonly string[]) => terms.map(vocabulary().verbClasses).find(({ length }) => length > 0);
  return {
    words: wordsByPart(texts),
    coreNameTerms: [...new Set(name.filter((term) => !termsOfServer(serverId).includes(term)))],
    verbClasses: verbOf(name) ?? verbOf(split(texts.description.slice(0, 100)).slice(0, verbWords)) ?? [],
  };
}

function wordsByPart(texts: Record<KeywordColumn, string>): ReadonlyMap<string, number> {
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
