import type { KeywordColumn, ToolName } from '../../model/index.ts';
import { vocabulary } from '../query/vocabulary.ts';
import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';

/** A tool as the ranking sees it: its analysed words, and what it does with what. */
export interface ToolProfile {
  /** The terms of each part; those of the title count as the name's. */
  terms: Record<'name' | 'description' | 'parameters' | 'server', ReadonlySet<string>>;
  /** How often each term occurs, weighted by where, relative to the length that is usual there (BM25F). */
  frequencies: ReadonlyMap<string, number>;
  /** Terms of the name without those of the server's id, which all its tools share. */
  coreNameTerms: ReadonlySet<string>;
  /** Classes of the verb that says what the tool does; empty where none was found. */
  verbClasses: readonly string[];
}

/** Where a name has no verb, the description mostly begins with one ("Creates an issue"). */
const verbWords = 2;
/** Saying a word more often than this in one place is no description but bait. */
const maxOccurrences = 4;
/** BM25's length normalisation (Robertson & Zaragoza 2009). */
const b = 0.5;

/** How much an occurrence counts by where it is, and the length that is usual there. */
const columns: Record<KeywordColumn, { weight: number; usualLength: number }> = {
  name: { weight: 5, usualLength: 4 },
  title: { weight: 2, usualLength: 4 },
  description: { weight: 1, usualLength: 40 },
  parameters: { weight: 0.5, usualLength: 60 },
  server: { weight: 2, usualLength: 3 },
};

/** Pure. `texts` are the tokens that the analyser made, separated by spaces. */
export function toolProfile({ serverId }: ToolName, texts: Record<KeywordColumn, string>): ToolProfile {
  const name = split(texts.name);
  const description = split(texts.description);
  const serverTerms = new Set(wordsOf(serverId).map(stem));
  const verbOf = (terms: readonly string[]) => terms.map(vocabulary().verbClasses).find(({ length }) => length > 0);
  return {
    terms: {
      name: new Set([...name, ...split(texts.title)]),
      description: new Set(description),
      parameters: new Set(split(texts.parameters)),
      server: new Set(split(texts.server)),
    },
    frequencies: weightedFrequencies(texts),
    coreNameTerms: new Set(name.filter((term) => !serverTerms.has(term))),
    verbClasses: verbOf(name) ?? verbOf(description.slice(0, verbWords)) ?? [],
  };
}

function weightedFrequencies(texts: Record<KeywordColumn, string>): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const column of Object.keys(columns) as KeywordColumn[]) {
    const terms = split(texts[column]);
    const { weight, usualLength } = columns[column];
    const unit = weight / (1 - b + (b * terms.length) / usualLength);
    const occurrences = new Map<string, number>();
    for (const term of terms) occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
    for (const [term, count] of occurrences) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + unit * Math.min(count, maxOccurrences));
    }
  }
  return frequencies;
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
