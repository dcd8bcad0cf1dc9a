import { type FeatureName, featureNames } from '../../src/search/training.ts';
import { listwiseLoss, type RankedList } from './listwise.ts';
import { minimize } from './minimize.ts';

/** A query's candidates by their features, in the order of `featureNames`. */
export interface FeatureList extends RankedList {
  features: readonly Float64Array[];
}

/** Of weights for features in units of their standard deviation. */
const regularization = 3;
const iterations = 150;
/** Weights that let scores lie within a few units, as people read them. */
const scoreScale = 0.1;

/** Weights of a linear combination for these features; the others get none. */
export function trainWeights(
  lists: readonly FeatureList[],
  used: readonly FeatureName[],
): Partial<Record<FeatureName, number>> {
  const columns = used.map((name) => featureNames.indexOf(name));
  const deviations = columns.map((column) => standardDeviation(lists, column));
  const scaled = lists.map((list) => ({
    ...list,
    rows: list.features.map((row) =>
      Float64Array.from(columns, (column, index) => (row[column] as number) / (deviations[index] as number)),
    ),
  }));
  const objective = (w: Float64Array) => {
    const gradient = w.map((value) => regularization * value);
    let value = (regularization / 2) * w.reduce((sum, entry) => sum + entry * entry, 0);
    for (const list of scaled) {
      const scores = Float64Array.from(list.rows, (row) => row.reduce((sum, x, k) => sum + x * (w[k] as number), 0));
      const { loss, slopes } = listwiseLoss(scores, list);
      value += loss;
      for (const [index, row] of list.rows.entries()) {
        const slope = slopes[index] as number;
        for (let k = 0; k < w.length; k++) gradient[k] = (gradient[k] as number) + slope * (row[k] as number);
      }
    }
    return { value, gradient };
  };
  const best = minimize(objective, new Float64Array(columns.length), iterations);
  return Object.fromEntries(
    used.map((name, index) => [name, (scoreScale * (best[index] as number)) / (deviations[index] as number)]),
  );
}

function standardDeviation(lists: readonly FeatureList[], column: number): number {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const { features } of lists) {
    for (const row of features) {
      const value = row[column] as number;
      count += 1;
      sum += value;
      squares += value * value;
    }
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2)) + 1e-6;
}
