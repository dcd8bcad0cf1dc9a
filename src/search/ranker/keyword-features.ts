import type { KeywordColumn } from '../../model/index.ts';
import type { WeightedTerm } from './term-weights.ts';
import type { ToolProfile } from './tool-profile.ts';

/** BM25's saturation and length normalisation (Robertson & Zaragoza 2009). */
const k1 = 2.4;
const b = 0.5;

/** Saying a word more often than this in one place is no description but bait. */
const maxOccurrences = 4;

/** How much an occurrence counts by where it is, and the length that is usual there. */
const columns: readonly [column: KeywordColumn, weight: number, usualLength: number][] = [
  ['name', 5, 4],
  ['title', 2, 4],
  ['description', 1, 40],
  ['parameters', 0.5, 60],
  ['server', 2, 3],
];

/** A word that means the same counts less than the word itself: in the name, and elsewhere. */
const synonymInName = 0.6;
const synonymAnywhere = 0.5;

/** BM25F of a tool for these terms. */
export function bm25f(profile: ToolProfile, terms: readonly Pick<WeightedTerm, 'term' | 'weight'>[]): number {
  let score = 0;
  for (const { term, weight } of terms) {
    let frequency = 0;
    for (const [column, columnWeight, usualLength] of columns) {
      const { frequencies, length } = profile.columns[column];
      const occurrences = frequencies.get(term);
      if (occurrences === undefined) continue;
      frequency += (columnWeight * Math.min(occurrences, maxOccurrences)) / (1 - b + (b * length) / usualLength);
    }
    if (frequency > 0) score += (weight * frequency) / (frequency + k1);
  }
  return score;
}

/** Shares of the query's terms, by weight, that a tool holds: each 0–1. */
export interface Coverage {
  anywhere: number;
  name: number;
  description: number;
  parameters: number;
  withSynonyms: number;
  nameWithSynonyms: number;
}

export function coverageOf(profile: ToolProfile, terms: readonly WeightedTerm[]): Coverage {
  const { name, title, description, parameters, server } = profile.columns;
  const inName = (term: string) => name.frequencies.has(term) || title.frequencies.has(term);
  const sums = { total: 0, anywhere: 0, name: 0, description: 0, parameters: 0, withSynonyms: 0, nameWithSynonyms: 0 };
  for (const { term, weight, synonyms } of terms) {
    const isInName = inName(term);
    const isInDescription = description.frequencies.has(term);
    const isInParameters = parameters.frequencies.has(term);
    const isAnywhere = isInName || isInDescription || isInParameters || server.frequencies.has(term);
    const hasSynonymInName = synonyms.some(inName);
    const hasSynonym = hasSynonymInName || synonyms.some((other) => description.frequencies.has(other));
    sums.total += weight;
    if (isAnywhere) sums.anywhere += weight;
    if (isInName) sums.name += weight;
    if (isInDescription) sums.description += weight;
    if (isInParameters) sums.parameters += weight;
    sums.withSynonyms += weight * (isAnywhere ? 1 : hasSynonym ? synonymAnywhere : 0);
    sums.nameWithSynonyms += weight * (isInName ? 1 : hasSynonymInName ? synonymInName : 0);
  }
  const total = sums.total || 1;
  return {
    anywhere: sums.anywhere / total,
    name: sums.name / total,
    description: sums.description / total,
    parameters: sums.parameters / total,
    withSynonyms: sums.withSynonyms / total,
    nameWithSynonyms: sums.nameWithSynonyms / total,
  };
}
