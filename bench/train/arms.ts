import { type FeatureName, featureNames, featureParts } from '../../src/search/training.ts';

const semanticParts = ['meaning', 'nameMeaning'];
const otherSemantic: readonly FeatureName[] = ['clauseCosine', 'serverCosine'];
const semanticFeatures = featureNames.filter(
  (name) => semanticParts.includes(featureParts[name]) || otherSemantic.includes(name),
);

/** The features that each arm's weights may use. `clauseFit` mixes both kinds of evidence. */
export const armFeatures = {
  hybrid: featureNames,
  lexical: featureNames.filter((name) => !semanticFeatures.includes(name) && name !== 'clauseFit'),
  embedding: semanticFeatures,
};

export type Arm = keyof typeof armFeatures;
export type Weights = Record<Arm, Partial<Record<FeatureName, number>>>;

const plainFusion = { cosine: 1, clauseCosine: 0.6, nameCosine: 0.2, keywords: 0.25, coverage: 0.6 };

/** What was shipped before anything was learned: the base that training must beat. */
export const handWeights: Weights = { hybrid: plainFusion, lexical: plainFusion, embedding: plainFusion };
