/**
 * The embedders, apart from the rest of the folder: a command that needs the model starts it before it loads anything
 * else.
 */
export { createEndpointEmbedder } from './embedding/endpoint-embedder.ts';
export { createHostEmbedder, type HostEmbedding } from './embedding/host-embedder.ts';
export { createMiniLmEmbedder, createTransformersEmbedder } from './embedding/worker-embedder.ts';
