import type { Candidate, CandidateCosines } from './candidates.ts';

const none: CandidateCosines = {
  whole: 0,
  name: 0,
  clauses: [],
  nameOfClause: 0,
};

/**
 * The cosines of each candidate. Tools that have no vector yet get such as lie in the range of the others, as high as
 * their keywords are, so that being new is no disadvantage; zeros where no tool has a vector.
 */
export function completeCosines(
  candidates: readonly Candidate[],
  keywordScores: readonly number[],
): readonly CandidateCosines[] {
  const known = candidates.flatMap(({ cosines }) => cosines ?? []);
  const [example] = known;
  if (example === undefined) return candidates.map(() => none);
  if (known.length === candidates.length) return known;
  const best = Math.max(1e-6, ...keywordScores);
  const between = (pick: (cosines: CandidateCosines) => number, share: number) => {
    const values = known.map(pick);
    const low = Math.min(...values);
    return low + share * (Math.max(...values) - low);
  };
  return candidates.map(({ cosines }, index) => {
    if (cosines !== undefined) return cosines;
    const share = (keywordScores[index] as number) / best;
    return {
      whole: between(({ whole }) => whole, share),
      name: between(({ name }) => name, share),
      clauses: example.clauses.map((_, clause) => between(({ clauses }) => clauses[clause] ?? 0, share)),
      nameOfClause: between(({ nameOfClause }) => nameOfClause, share),
    };
  });
}
