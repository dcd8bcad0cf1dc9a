import type { WeightedTerm } from './term-weights.ts';
import type { ToolProfile } from './tool-profile.ts';

/** BM25's saturation, for frequencies that are weighted by column. */
const k1 = 2.4;

/** A word that means the same counts less than the word itself: in the name, and elsewhere. */
const synonymInName = 0.6;
const synonymAnywhere = 0.5;

/** BM25F of a tool for these terms (Robertson & Zaragoza 2009). */
export function bm25f({ frequencies }: ToolProfile, terms: readonly Pick<WeightedTerm, 'term' | 'weight'>[]): number {
  let score = 0;
  for (const { term, weight } of terms) {
    const frequency = frequencies.get(term);
    if (frequency !== undefined) score += (weight * frequency) / (frequency + k1);
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

export function coverageOf({ terms: parts, frequencies }: ToolProfile, terms: readonly WeightedTerm[]): Coverage {
  const inName = (term: string) => parts.name.has(term);
  const sums = { total: 0, anywhere: 0, name: 0, description: 0, parameters: 0, withSynonyms: 0, nameWithSynonyms: 0 };
  for (const { term, weight, synonyms } of terms) {
    const isAnywhere = frequencies.has(term);
    const isInName = isAnywhere && inName(term);
    const hasSynonymInName = synonyms.some(inName);
    const hasSynonym = hasSynonymInName || synonyms.some((other) => parts.description.has(other));
    sums.total += weight;
    if (isAnywhere) sums.anywhere += weight;
    if (isInName) sums.name += weight;
    if (isAnywhere && parts.description.has(term)) sums.description += weight;
    if (isAnywhere && parts.parameters.has(term)) sums.parameters += weight;
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
