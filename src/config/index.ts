/**
 * Configuration: reads a config file or the options of a program, checks it, expands variables and fills in defaults.
 * The only reader of the environment. Imports `model` and `errors` alone, and opens nothing but the config file.
 */
export { baseEnvironment, processEnvironment } from './environment.ts';
export { type LoadOptions, loadConfig } from './load.ts';
export type { HttpOptions, Limits, ServerOptions, ToolcribOptions } from './options.ts';
export { type ConfigProblem, formatProblem } from './problem.ts';
export { type ResolveContext, type ResolvedConfig, resolveOptions } from './resolve.ts';
