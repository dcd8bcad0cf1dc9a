/**
 * Configuration: reads a config file or the options of a program, checks it, expands variables and fills in defaults.
 * The only reader of the environment. Imports `model` and `errors` alone, and opens nothing but the config file.
 */
export { editJsonc, type JsoncChange } from './edit-jsonc.ts';
export { baseEnvironment, processEnvironment } from './environment.ts';
export { expandVariables } from './expand.ts';
export { loadConfig } from './load.ts';
export type { HttpOptions, Limits, ServerOptions, ToolcribOptions } from './options.ts';
export { parseJsonc } from './parse-jsonc.ts';
export { configFileName } from './paths.ts';
export { formatProblem, type JsonPath } from './problem.ts';
export { type ResolvedConfig, resolveOptions } from './resolve.ts';
export { knownKeys } from './schema.ts';
export { type UserPlaces, userPlaces } from './user-places.ts';
