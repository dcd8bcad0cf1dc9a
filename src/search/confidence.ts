import type { RankingResult } from './ranking.ts';

/** Hits of a weak answer: it is shortened instead of padded. */
export const weakHitLimit = 20;

const strongCosine = 0.4;

/** Strong when the query names the best hit, or the best hit is close in meaning or words. */
export function confidenceOf(ranking: RankingResult): 'strong' | 'weak' {
  const [best] = ranking.ranked;
  if (best === undefined) return 'weak';
  if (best.parts.name !== undefined) return 'strong';
  return ranking.bestCosine >= strongCosine ? 'strong' : 'weak';
}
