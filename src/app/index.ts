/**
 * The composition root: the only place that names concrete classes and puts the parts together. Imports every folder
 * below; never `cli`. It holds no logic of its own.
 */
export { type CreateOptions, createToolcrib } from './create-toolcrib.ts';
