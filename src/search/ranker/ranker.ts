import { readIndexData, readIndexDataBytes } from '../index-data.ts';
import { type FeatureName, featureNames } from './feature-names.ts';
import { linearAdapter, type QueryAdapter } from './query-adapter.ts';

export type Weights = Readonly<Record<FeatureName, number>>;

/** A linear combination of features for each kind of evidence, and what goes with it. */
export interface Ranker {
  /** With keywords and embeddings; with one of them alone. */
  weights: Readonly<Record<'hybrid' | 'lexical' | 'embedding', Weights>>;
  /** Fits queries of one embedding model; other models' queries stay as they are. */
  adapter: { modelId: string; adapt: QueryAdapter } | undefined;
}

interface RankerFile {
  weights: Record<'hybrid' | 'lexical' | 'embedding', Partial<Record<FeatureName, number>>>;
  adapter: { modelId: string; dimensions: number; file: string };
}

let shipped: Ranker | undefined;

/** The ranker that `bench/train` made, with its provenance in `index-data/ranker.json`. The files are read at first use. */
export function shippedRanker(): Ranker {
  shipped ??= readRanker(readIndexData('ranker.json') as RankerFile);
  return shipped;
}

function readRanker({ weights, adapter }: RankerFile): Ranker {
  const { dimensions, file, modelId } = adapter;
  const bytes = readIndexDataBytes(file);
  const scaleBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const scales = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + scaleBytes));
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + scaleBytes, dimensions * dimensions);
  return {
    weights: { hybrid: full(weights.hybrid), lexical: full(weights.lexical), embedding: full(weights.embedding) },
    adapter: { modelId, adapt: linearAdapter(values, scales) },
  };
}

/** Features without a weight do not count. */
function full(weights: Partial<Record<FeatureName, number>>): Weights {
  return Object.fromEntries(featureNames.map((name) => [name, weights[name] ?? 0])) as Weights;
}
