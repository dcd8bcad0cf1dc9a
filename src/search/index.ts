/**
 * Finds tools: text analysis, query reading, embeddings, fusion of the arms into one ranking. Knows the catalog by its
 * ports alone; must not import catalog, upstream, policy or anything above, and no SQLite.
 */
export { createEmbeddingBackfill, type EmbeddingBackfill } from './backfill.ts';
export { createToolSearcher } from './searcher.ts';
export { createToolAnalyzer } from './text/analyzer.ts';
export { TypeAhead } from './type-ahead.ts';
