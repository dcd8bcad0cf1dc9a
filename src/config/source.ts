import { type ConfigProblem, formatJsonPath, type JsonPath } from './problem.ts';

/** Where a config comes from: a parsed file, or the options of a program. */
export interface ConfigSource {
  /** Absolute path of the file; absent for options. */
  path?: string;
  value: unknown;
  /** Line and column (from 1) of a value, or of the nearest thing around it; nothing for options. */
  locate(path: JsonPath): { line: number; column: number } | undefined;
}

/** Options of a program as a source: no file, no lines. */
export function optionsSource(value: unknown): ConfigSource {
  return { value, locate: () => undefined };
}

/** A problem at a place of this source. */
export function problemAt(
  source: ConfigSource,
  path: JsonPath,
  problem: Pick<ConfigProblem, 'severity' | 'message' | 'expected' | 'got'>,
): ConfigProblem {
  return {
    ...problem,
    ...(source.path !== undefined && { path: source.path }),
    ...source.locate(path),
    jsonPath: formatJsonPath(path),
  };
}
