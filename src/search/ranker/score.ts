import type { NameMatch } from '../query/name-index.ts';
import { type FeatureName, type Features, featureNames, featureParts } from './feature-names.ts';
import type { Ranker, Weights } from './ranker.ts';

export interface Ranked {
  toolKey: number;
  score: number;
  /** How the query names the tool, if it does. */
  match: NameMatch | undefined;
  /** What the score is made of; sums to it. */
  parts(): Record<string, number>;
}

/** How much each kind of evidence counts, 0–1 each; together 1. */
export type EvidenceShares = Readonly<Record<keyof Ranker['weights'], number>>;

/**
 * Steps larger than all other parts together: a name that equals the query outranks everything that is merely like
 * it, whatever a description says.
 */
const nameParts: Record<NameMatch, number> = {
  exactCase: 3_000,
  anyStyle: 2_000,
  oneEdit: 1_200,
  twoEdits: 1_100,
  mention: 1_000,
};

/** One weight for each feature, by how much each kind of evidence counts. */
export function combineWeights({ weights }: Pick<Ranker, 'weights'>, shares: EvidenceShares): Weights {
  const weightOf = (name: FeatureName) =>
    shares.hybrid * weights.hybrid[name] +
    shares.lexical * weights.lexical[name] +
    shares.embedding * weights.embedding[name];
  return Object.fromEntries(featureNames.map((name) => [name, weightOf(name)])) as Weights;
}

/** The score of one tool. Pure. */
export function scoreTool(toolKey: number, features: Features, weights: Weights, match: NameMatch | undefined): Ranked {
  let score = match === undefined ? 0 : nameParts[match];
  for (const name of featureNames) score += weights[name] * features[name];
  return { toolKey, score, match, parts: () => explain(features, weights, match) };
}

function explain(features: Features, weights: Weights, match: NameMatch | undefined): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const name of featureNames) {
    const part = weights[name] * features[name];
    if (part !== 0) parts[featureParts[name]] = (parts[featureParts[name]] ?? 0) + part;
  }
  if (match !== undefined) parts.name = nameParts[match];
  return parts;
}
