/**
 * The composition root: the only place that names concrete classes and puts the parts together. Imports every folder
 * below; never `cli`. It holds no logic of its own.
 */

export type { HostEmbedding } from '../search/embedders.ts';
export { type CreateOptions, createToolcrib } from './create-toolcrib.ts';
export type { HostHooks } from './host-hooks.ts';
export type { Rerank } from './rerank.ts';
export type { HostTokenCounter } from './token-counter.ts';
