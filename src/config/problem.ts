/** One thing wrong or odd in a config. Holds no value that could be a secret. */
export interface ConfigProblem {
  /** An `error` outside of the server entries makes the config invalid; inside of one it disables that server. */
  severity: 'error' | 'warning';
  /** The config file; absent for options that came from a program. */
  path?: string;
  /** From 1; absent where there is no file. */
  line?: number;
  /** From 1; absent where there is no file. */
  column?: number;
  /** `mcpServers.github.args[1]`; empty for the config as a whole. */
  jsonPath: string;
  /** One sentence without the place. */
  message: string;
  expected?: string;
  got?: string;
}

export type JsonPath = readonly (string | number)[];

/** `file:line:column: mcpServers.github.args[1]: expected …, got …`, as far as each part is known. */
export function formatProblem(problem: ConfigProblem): string {
  const place = [problem.path, problem.line, problem.column].filter((part) => part !== undefined).join(':');
  return [place, problem.jsonPath, problem.message].filter((part) => part !== '').join(': ');
}

/** Writes a path into JSON the way JavaScript would reach it. */
export function formatJsonPath(path: JsonPath): string {
  return path.reduce<string>((text, key) => text + formatKey(key, text === ''), '');
}

function formatKey(key: string | number, isFirst: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}
