import type { ErrorObject } from 'ajv';
import { messageOf } from '../errors/index.ts';
import type { JsonObject, Tool } from '../model/index.ts';
import { CompileCache } from './compile-cache.ts';
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
      /** About how many more there are than `issues` tells. */
      more: number;
    };

export interface ArgumentValidator {
  /**
   * Checks arguments against the tool's input schema, in the dialect that it declares (default 2020-12). What can be
   * read without guessing is accepted: `"5"` for an integer, `"[1]"` for an array, `null` for an optional parameter
   * left out. What cannot be checked (the schema does not compile, is too big, takes too long) passes, with the reason.
   * A keyword that makes no sense is left out, and the rest is checked. Never throws.
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
    validate({ hash, inputSchema }, args) {
      return validateWith(cache, `input ${hash}`, inputSchema, args);
    },
    fits(key, schema, value) {
      const checked = check(cache, key, schema, value);
      return 'skipped' in checked || checked.errors.length === 0;
    },
  };
}

function validateWith(cache: CompileCache, key: string, schema: JsonObject, args: JsonObject): ValidationOutcome {
  let value = args;
  for (let round = 0; ; round += 1) {
    const checked = check(cache, key, schema, value);
    if ('skipped' in checked) return { ok: true, value: args, skipped: checked.skipped };
    const { errors, root } = checked;
    if (errors.length === 0) return { ok: true, value };
    const read = round < readRoundsMax ? readLeniently(value, errors, root) : undefined;
    if (read === undefined) return { ok: false, ...toIssues(value, errors, root) };
    value = read;
  }
}

type Checked = { errors: readonly ErrorObject[]; root: JsonObject } | { skipped: string };

function check(cache: CompileCache, key: string, schema: JsonObject, value: unknown): Checked {
  const compilation = cache.get(key, schema);
  if ('skipped' in compilation) return compilation;
  if (isTooBig(value)) return { skipped: 'the arguments are too big to check' };
  try {
    const { check: compiled, root } = compilation;
    const outcome = withinTime(validateMaxMs, () => compiled(value));
    if (outcome.ok) return { errors: outcome.value ? [] : (compiled.errors ?? []), root };
    return cache.skip(key, `a check against the schema took longer than ${validateMaxMs} ms`);
  } catch (error) {
    return cache.skip(key, `a check against the schema broke off: ${messageOf(error)}`);
  }
}

function isTooBig(value: unknown): boolean {
  const { values, depth } = measureJson(value, argumentLimits);
  return values > argumentLimits.values || depth > argumentLimits.depth;
}
