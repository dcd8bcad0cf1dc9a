import type { ReadQuery } from '../query/read-query.ts';

/** Frequencies of terms over the catalog. */
export interface TermStatistics {
  /** In how many tools a term occurs. */
  frequencyOf(term: string): number;
  documents: number;
}

/** A term of the query as it counts in scores. */
export interface WeightedTerm {
  term: string;
  /** Inverse document frequency, at most `unknownTermWeight` for terms that no tool holds. */
  weight: number;
  /** Terms that tools use for it, as far as they occur in the catalog. */
  synonyms: readonly string[];
}

/** A word that occurs nowhere says little about the tools there are: mostly it is a name or a value. */
const unknownTermWeight = 2;

/** Inverse document frequency, positive for every term (Lucene's variant of BM25's). */
export function rarity(term: string, { frequencyOf, documents }: TermStatistics): number {
  const frequency = frequencyOf(term);
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** The terms that a query is searched by. Glossed queries keep only those words of their own language that tools hold. */
export function searchTerms({ terms, glossTerms }: ReadQuery, { frequencyOf }: TermStatistics): string[] {
  if (glossTerms.length === 0) return terms;
  return [...new Set([...terms.filter((term) => frequencyOf(term) > 0), ...glossTerms])];
}

export function weightedTerms(query: ReadQuery, statistics: TermStatistics): WeightedTerm[] {
  const terms = searchTerms(query, statistics);
  const isUseful = (other: string) => !terms.includes(other) && statistics.frequencyOf(other) > 0;
  return terms.map((term) => {
    const weight = rarity(term, statistics);
    return {
      term,
      weight: statistics.frequencyOf(term) > 0 ? weight : Math.min(weight, unknownTermWeight),
      synonyms: (query.synonyms.get(term) ?? []).filter(isUseful),
    };
  });
}
