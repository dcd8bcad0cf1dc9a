import type { CandidateCosines } from './candidates.ts';
import { bm25f, minScore, type SlottedTerm } from './keyword-features.ts';

/** How well a tool fits the clause that it fits best. */
export interface ClauseFit {
  clauseCosine: number;
  clauseFit: number;
  clauseKeywords: number;
  clauseKeywordsRelative: number;
}

/** How much words count beside meaning in the fit of a clause. */
const keywordWeight = 0.4;

/**
 * A tool for one step of a task need not fit the others: what counts is its best clause, relative to that clause's best
 * tool. `occurrences` and `cosines` are those of the candidates, in order; `clauses` the terms of each clause, or those of
 * the query where it is but one.
 */
export function clauseFits(
  clauses: readonly (readonly SlottedTerm[])[],
  occurrences: readonly Uint32Array[],
  cosines: readonly CandidateCosines[],
): ClauseFit[] {
  const perClause = clauses.map((terms, clause) => {
    const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
    const keywords = occurrences.map((found) => bm25f(found, terms) / total);
    const meaning = relative(cosines.map((cosine) => cosine.clauses[clause] ?? cosine.whole));
    return { keywords, meaning, best: Math.max(minScore, ...keywords) };
  });
  return occurrences.map((_, index) => {
    const fit: ClauseFit = {
      clauseCosine: -1,
      clauseFit: -2,
      clauseKeywords: 0,
      clauseKeywordsRelative: 0,
    };
    for (const { keywords, meaning, best } of perClause) {
      const share = keywords[index] as number;
      fit.clauseCosine = Math.max(fit.clauseCosine, meaning[index] as number);
      fit.clauseKeywords = Math.max(fit.clauseKeywords, share);
      fit.clauseKeywordsRelative = Math.max(fit.clauseKeywordsRelative, share / best);
      const both = (meaning[index] as number) + keywordWeight * (share / best - 1);
      fit.clauseFit = Math.max(fit.clauseFit, both);
    }
    return fit;
  });
}

/** How far each value lies below the highest. */
function relative(values: readonly number[]): number[] {
  const best = Math.max(...values);
  return values.map((value) => value - best);
}
