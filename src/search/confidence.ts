import type { RankingResult } from './ranking-result.ts';

/** Hits of a weak answer at most: it is not padded to a larger limit. */
export const weakHitLimit = 5;

/** Hits that are looked at. */
export const judgedHits = 10;

/**
 * Nearest hit below which an answer is weak. On the labelled development queries over 66 servers it marks 20 % of the
 * answerable ones and 50 % of those that no tool fits; the two overlap widely (area under the curve .68), so nothing
 * is refused by it.
 */
const strongCosine = 0.45;
/** The same for answers without embeddings: share of the query's terms held by the best hit. */
const strongCoverage = 0.33;

/** Without a word in common and with nothing nearer than this, a list of hits would be noise. */
const hopelessCosine = 0.2;

type Judged = Pick<RankingResult, 'ranked' | 'bestCosine' | 'bestCoverage' | 'vectors'>;

/**
 * Strong when the query names a tool, or a hit is close in meaning. Words decide where meaning was not looked at, or
 * not everywhere because vectors are still missing.
 */
export function confidenceOf({ ranked, bestCosine, bestCoverage, vectors }: Judged): 'strong' | 'weak' {
  const [best] = ranked;
  if (best === undefined) return 'weak';
  const isPartial = vectors !== undefined && vectors.embedded < vectors.texts;
  const isCloseInWords = (bestCosine === undefined || isPartial) && bestCoverage >= strongCoverage;
  const isCloseInMeaning = bestCosine !== undefined && bestCosine >= strongCosine;
  return best.parts.name !== undefined || isCloseInWords || isCloseInMeaning ? 'strong' : 'weak';
}

/** True when an answer would hold nothing but tools picked at random. */
export function isHopeless({ ranked, bestCosine, bestCoverage }: Judged): boolean {
  const isNamed = ranked[0]?.parts.name !== undefined;
  return !isNamed && bestCoverage === 0 && (bestCosine ?? 0) < hopelessCosine;
}
