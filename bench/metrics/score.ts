/** The measures of one answered query, each 0–1. `ranked` holds label ids, best first. */
export interface QueryScore {
  recall: Record<Cutoff, number>;
  hit: Record<Cutoff, number>;
  mrr10: number;
  ndcg10: number;
}

export const cutoffs = [1, 3, 5, 10] as const;
export type Cutoff = (typeof cutoffs)[number];

/**
 * recall@k: share of gold groups hit in the first k. hit@k: any gold in the first k. MRR@10. NDCG@10 with binary
 * relevance, where a group counts once and the ideal ranking has all groups first.
 */
export function scoreQuery(ranked: readonly string[], groups: readonly (readonly string[])[]): QueryScore {
  const firstRanks = groups.map((group) => rankOfAny(ranked, group));
  const atCutoffs = (measure: (k: number) => number) =>
    Object.fromEntries(cutoffs.map((k) => [k, measure(k)])) as Record<Cutoff, number>;
  const best = Math.min(...firstRanks);
  return {
    recall: atCutoffs((k) => firstRanks.filter((rank) => rank <= k).length / groups.length),
    hit: atCutoffs((k) => (best <= k ? 1 : 0)),
    mrr10: best <= 10 ? 1 / best : 0,
    ndcg10: discountedGain(firstRanks.filter((rank) => rank <= 10)) / idealGain(groups.length),
  };
}

/** Mean of a list; 0 for an empty one. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** To four places: finer differences are noise at these numbers of queries. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The value below which `share` of the values lie (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] as number;
}

/**
 * 95 % interval of the mean by 1 000 bootstrap samples (percentile method, Efron 1979). The generator is seeded, so a
 * run can be repeated.
 */
export function bootstrap95(values: readonly number[], samples = 1000): [number, number] {
  if (values.length === 0) return [0, 0];
  const random = seededRandom(20_260_728);
  const means = Array.from({ length: samples }, () =>
    mean(Array.from(values, () => values[Math.floor(random() * values.length)] as number)),
  );
  return [percentile(means, 0.025), percentile(means, 0.975)];
}

function rankOfAny(ranked: readonly string[], group: readonly string[]): number {
  const index = ranked.findIndex((id) => group.includes(id));
  return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
}

function discountedGain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

function idealGain(groups: number): number {
  return discountedGain(Array.from({ length: Math.min(groups, 10) }, (_, index) => index + 1));
}

/** Mulberry32: small, seedable, good enough for resampling. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
