/**
 * Configuration: reads a config file or the options of a program, checks it, expands variables and fills in defaults.
 * The only reader of the environment. Imports `model` and `errors` alone, and opens nothing but the config file.
 */
export { baseEnvironment, processEnvironment } from './environment.ts';
export { loadConfig } from './load.ts';
export type { HttpOptions, Limits, ServerOptions, ToolcribOptions } from './options.ts';
export { formatProblem } from './problem.ts';
export { type ResolvedConfig, resolveOptions } from './resolve.ts';
