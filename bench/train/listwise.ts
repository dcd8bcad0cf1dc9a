/** One query for training: groups of candidates of which any one fulfils the group, and how much the query counts. */
export interface RankedList {
  /** Places among the candidates; groups without a candidate are left out. */
  groups: readonly (readonly number[])[];
  weight: number;
}

/**
 * The loss of one list and its derivative by each score: minus the mean over groups of the log of the probability mass on
 * the group, where probabilities are the softmax of the scores (ListNet's top-one probabilities, Cao et al. 2007).
 */
export function listwiseLoss(
  scores: Float64Array,
  { groups, weight }: RankedList,
): { loss: number; slopes: Float64Array } {
  const probabilities = softmax(scores);
  const slopes = probabilities.map((probability) => probability * weight);
  let loss = 0;
  for (const group of groups) {
    const mass = group.reduce((sum, index) => sum + (probabilities[index] as number), 0) + 1e-12;
    loss -= (weight * Math.log(mass)) / groups.length;
    for (const index of group) {
      const share = (probabilities[index] as number) / mass / groups.length;
      slopes[index] = (slopes[index] as number) - weight * share;
    }
  }
  return { loss, slopes };
}

function softmax(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const powers = scores.map((score) => Math.exp(score - best));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
