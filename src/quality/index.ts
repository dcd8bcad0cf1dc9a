/**
 * For tool owners: what is wrong with the definitions of a catalog, and how well its tools are found. Reads the catalog
 * through ports and calls no tool. Imports what lies below `server`; must not import `host`, `console` or `app`.
 */

export type { CatalogCopy } from './catalog-copy.ts';
export { draftTasks } from './collisions/draft-tasks.ts';
export { findCollisions } from './collisions/find-collisions.ts';
export { toBaseline } from './evaluation/baseline.ts';
export { evaluate } from './evaluation/evaluate.ts';
export { runExercise } from './exercise/run-exercise.ts';
export { compareViews } from './export/compare-views.ts';
export { exportView } from './export/export-view.ts';
export { lintCatalog } from './lint/lint-catalog.ts';
