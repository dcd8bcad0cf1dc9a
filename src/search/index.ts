/**
 * Finds tools: text analysis, query reading, embeddings, fusion of the arms into one ranking. Knows the catalog by its
 * ports alone; must not import catalog, upstream, policy or anything above, and no SQLite.
 */
export { createInProcessEmbedder } from './embedding/in-process-embedder.ts';
export { createMiniLmEmbedder } from './embedding/worker-embedder.ts';
