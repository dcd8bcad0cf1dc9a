/**
 * What the training of the ranker needs of the search: features and vectors as a query would see them. Imported by
 * `bench/train` alone; not part of the public API.
 */

export { createEmbeddingBackfill } from './backfill.ts';
export { confidenceOf } from './confidence.ts';
export { createMiniLmEmbedder } from './embedding/worker-embedder.ts';
export { type FeatureName, featureNames, featureParts } from './ranker/feature-names.ts';
export { completeWeights } from './ranker/ranker.ts';
export { Ranking } from './ranking.ts';
export { createToolAnalyzer } from './text/analyzer.ts';
export { embeddingTexts, spell } from './text/embedding-texts.ts';
