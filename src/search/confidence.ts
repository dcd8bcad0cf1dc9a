import type { RankingResult } from './ranking-result.ts';

/** Hits of a weak answer at most: it is not padded to a larger limit. */
export const weakHitLimit = 5;

/** Hits that are looked at. */
export const judgedHits = 10;

/**
 * How far the nearest hit must stand out from the other candidates: compared within one answer, since cosines as such differ
 * from catalog to catalog. On the development queries over 66 servers, each asked of an encoder that has not seen it, this
 * marks 22 % of the answerable ones and 55 % of those that no tool fits; on the repository's own set 29 % and 88 %. The two
 * overlap (area under the curve .74 for the former), so nothing is refused by it.
 */
const strongLead = 0.25;
/** The same for answers without embeddings: share of the query's terms held by the best hit. */
const strongCoverage = 0.4;

/** Without a word in common and with nothing nearer than this, a list of hits would be noise. */
const hopelessCosine = 0.2;

type Judged = Pick<RankingResult, 'ranked' | 'closeness' | 'vectors'>;

/**
 * Strong when the query names a tool, or a hit is close in meaning. Words decide where meaning was not looked at, or
 * not everywhere because vectors are still missing.
 */
export function confidenceOf({ ranked, closeness, vectors }: Judged): 'strong' | 'weak' {
  const [best] = ranked;
  if (best === undefined) return 'weak';
  const isPartial = vectors !== undefined && vectors.embedded < vectors.texts;
  const { cosine, usualCosine, coverage } = closeness;
  const isCloseInWords = (cosine === undefined || isPartial) && coverage >= strongCoverage;
  const isCloseInMeaning = cosine !== undefined && cosine - usualCosine >= strongLead;
  return best.match !== undefined || isCloseInWords || isCloseInMeaning ? 'strong' : 'weak';
}

/** True when an answer would hold nothing but tools picked at random. */
export function isHopeless({ ranked, closeness: { cosine, coverage } }: Judged): boolean {
  const isNamed = ranked[0]?.match !== undefined;
  return !isNamed && coverage === 0 && (cosine ?? 0) < hopelessCosine;
}
