/**
 * Finds tools: text analysis, query reading, embeddings, candidates and their ranking, notes. Knows the catalog by its
 * ports alone; must not import catalog, upstream, policy or anything above, and no SQLite.
 */
export { createEmbeddingBackfill, type EmbeddingBackfill } from './backfill.ts';
export { VectorScan } from './embedding/vector-scan.ts';
export { stopWords } from './query/stop-words.ts';
export { vocabulary } from './query/vocabulary.ts';
export { createToolSearcher } from './searcher.ts';
export { createToolAnalyzer } from './text/analyzer.ts';
export { embeddingOrdinal } from './text/embedding-texts.ts';
export { stem } from './text/stem.ts';
export { wordsOf } from './text/tokenize.ts';
export { TypeAhead } from './type-ahead.ts';
