import { readIndexData } from '../index-data.ts';
import { type FeatureName, featureNames } from './feature-names.ts';

export type Weights = Readonly<Record<FeatureName, number>>;

/** A linear combination of features for each kind of evidence. */
export interface Ranker {
  /** With keywords and embeddings; with one of them alone. */
  weights: Readonly<Record<'hybrid' | 'lexical' | 'embedding', Weights>>;
}

interface RankerFile {
  weights: Record<'hybrid' | 'lexical' | 'embedding', Partial<Record<FeatureName, number>>>;
}

let shipped: Ranker | undefined;

/** The ranker that `bench/train` made, with its provenance in `index-data/ranker.json`. The file is read at first use. */
export function shippedRanker(): Ranker {
  shipped ??= readRanker(readIndexData('ranker.json') as RankerFile);
  return shipped;
}

function readRanker({ weights }: RankerFile): Ranker {
  return {
    weights: {
      hybrid: completeWeights(weights.hybrid),
      lexical: completeWeights(weights.lexical),
      embedding: completeWeights(weights.embedding),
    },
  };
}

/** Features without a weight do not count. */
export function completeWeights(weights: Partial<Record<FeatureName, number>>): Weights {
  return Object.fromEntries(featureNames.map((name) => [name, weights[name] ?? 0])) as Weights;
}
