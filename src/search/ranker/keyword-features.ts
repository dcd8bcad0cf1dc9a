import { frequencyOf, part, partsOf } from './tool-profile.ts';

/** A term of the query as it counts in scores, by its place in what was read of a tool (`QuerySlots`). */
export interface SlottedTerm {
  slot: number;
  weight: number;
  synonymSlots: readonly number[];
}

/** So that nothing is divided by zero where no candidate holds a word of the query. */
export const minScore = 1e-6;

/** BM25's saturation, for frequencies that are weighted by column. */
const k1 = 2.4;

/** A word that means the same counts less than the word itself: in the name, and elsewhere. */
const synonymInName = 0.6;
const synonymAnywhere = 0.5;

/** BM25F of a tool for these terms (Robertson & Zaragoza 2009). */
export function bm25f(occurrences: Uint32Array, terms: readonly SlottedTerm[]): number {
  let score = 0;
  for (const { slot, weight } of terms) {
    const frequency = frequencyOf(occurrences[slot] as number);
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

export function coverageOf(occurrences: Uint32Array, terms: readonly SlottedTerm[]): Coverage {
  const sums = { total: 0, anywhere: 0, name: 0, description: 0, parameters: 0, withSynonyms: 0, nameWithSynonyms: 0 };
  for (const { slot, weight, synonymSlots } of terms) {
    const parts = partsOf(occurrences[slot] as number);
    let synonymParts = 0;
    for (const synonym of synonymSlots) synonymParts |= partsOf(occurrences[synonym] as number);
    const isAnywhere = parts !== 0;
    const isInName = (parts & part.name) !== 0;
    const hasSynonymInName = (synonymParts & part.name) !== 0;
    const hasSynonym = (synonymParts & (part.name | part.description)) !== 0;
    sums.total += weight;
    if (isAnywhere) sums.anywhere += weight;
    if (isInName) sums.name += weight;
    if (parts & part.description) sums.description += weight;
    if (parts & part.parameters) sums.parameters += weight;
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
