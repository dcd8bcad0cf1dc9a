import type { ErrorObject } from 'ajv';
import type { JsonObject, Tool } from '../model/index.ts';
import { CompileCache } from './compile-cache.ts';
import type { CompiledSchema } from './dialect.ts';
import { type ArgumentIssue, toIssues } from './issues.ts';
import { measureJson } from './measure-json.ts';
import { readLeniently } from './read-leniently.ts';
import { withinTime } from './within-time.ts';

export type ValidationOutcome =
  | {
      ok: true;
      /** The arguments, with those read that came as text. */
      value: JsonObject;
      /** Why they were not checked, when they were not. For the log. */
      skipped?: string;
    }
  | {
      ok: false;
      issues: ArgumentIssue[];
      /** How many more there are than `issues` tells. */
      more: number;
    };

export interface ArgumentValidator {
  /**
   * Checks arguments against the tool's input schema, in the dialect that it declares (default 2020-12). What can be
   * read without guessing is accepted: `"5"` for an integer, `"[1]"` for an array, `null` for an optional parameter
   * left out. What cannot be checked (the schema does not compile, is too big, takes too long) passes, with the reason.
   */
  validate(tool: Pick<Tool, 'hash' | 'inputSchema'>, args: JsonObject): ValidationOutcome;
  /** Whether `value` fits a schema; unknown counts as a fit. `key` stands for the schema in the cache. */
  fits(key: string, schema: JsonObject, value: unknown): boolean;
}

/** Rounds of reading: a text within a text is read one level a round. */
const readRoundsMax = 3;
/** Arguments beyond these are passed on unchecked: they are data, such as files, rather than parameters. */
const argumentLimits = { values: 20_000, depth: 100 };
/** Checking real arguments takes well under 1 ms. */
const validateMaxMs = 250;

/** A validator with a cache of its own. */
export function createArgumentValidator(): ArgumentValidator {
  const cache = new CompileCache();
  return {
    validate(tool, args) {
      const compilation = cache.get(`input ${tool.hash}`, tool.inputSchema);
      if ('skipped' in compilation) return { ok: true, value: args, skipped: compilation.skipped };
      return validateWith(compilation.check, args, tool.inputSchema);
    },
    fits(key, schema, value) {
      const compilation = cache.get(key, schema);
      if ('skipped' in compilation || isTooBig(value)) return true;
      return check(compilation.check, value)?.length === 0;
    },
  };
}

function validateWith(compiled: CompiledSchema, args: JsonObject, schema: JsonObject): ValidationOutcome {
  if (isTooBig(args)) return { ok: true, value: args, skipped: 'the arguments are too big to check' };
  let value = args;
  for (let round = 0; ; round += 1) {
    const errors = check(compiled, value);
    if (errors === undefined) {
      return { ok: true, value: args, skipped: `checking the arguments took longer than ${validateMaxMs} ms` };
    }
    if (errors.length === 0) return { ok: true, value };
    const read = round < readRoundsMax ? readLeniently(value, errors, schema) : undefined;
    if (read === undefined) return { ok: false, ...toIssues(value, errors) };
    value = read;
  }
}

function isTooBig(value: unknown): boolean {
  const { values, depth } = measureJson(value, argumentLimits);
  return values > argumentLimits.values || depth > argumentLimits.depth;
}

/** The errors, none for a fit; `undefined` when time ran out. */
function check(compiled: CompiledSchema, value: unknown): ErrorObject[] | undefined {
  const outcome = withinTime(validateMaxMs, () => compiled(value));
  if (!outcome.ok) return undefined;
  return outcome.value ? [] : (compiled.errors ?? []);
}
