import type { NameMatch } from '../query/name-index.ts';
import { type FeatureName, type Features, featureNames, featureParts } from './feature-names.ts';
import type { Ranker } from './ranker.ts';

export interface Ranked {
  toolKey: number;
  score: number;
  /** Sum to `score`. */
  parts: Record<string, number>;
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

/** The score of one tool, with what it is made of. Pure. */
export function scoreTool(
  toolKey: number,
  features: Features,
  ranker: Pick<Ranker, 'weights'>,
  shares: EvidenceShares,
  match: NameMatch | undefined,
): Ranked {
  const parts: Record<string, number> = {};
  for (const name of featureNames) {
    const part = weightOf(name, ranker, shares) * features[name];
    if (part !== 0) parts[featureParts[name]] = (parts[featureParts[name]] ?? 0) + part;
  }
  if (match !== undefined) parts.name = nameParts[match];
  return { toolKey, score: Object.values(parts).reduce((sum, part) => sum + part, 0), parts };
}

function weightOf(name: FeatureName, { weights }: Pick<Ranker, 'weights'>, shares: EvidenceShares): number {
  return (
    shares.hybrid * weights.hybrid[name] +
    shares.lexical * weights.lexical[name] +
    shares.embedding * weights.embedding[name]
  );
}
