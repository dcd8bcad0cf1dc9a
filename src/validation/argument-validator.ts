import type { ErrorObject } from 'ajv';
import { messageOf } from '../errors/index.ts';
import type { JsonObject, Tool } from '../model/index.ts';
import { basicSchema } from './basic-schema.ts';
import { type Compilation, CompileCache } from './compile-cache.ts';
import { type ArgumentIssue, toIssues } from './issues.ts';
import { measureJson } from './measure-json.ts';
import { readLeniently } from './read-leniently.ts';
import { withinTime } from './within-time.ts';

export type ValidationOutcome =
  | {
      ok: true;
      /** The arguments, with those read that came as text. */
      value: JsonObject;
      /** Why they were not checked in full, when they were not. For the log. */
      skipped?: string;
    }
  | {
      ok: false;
      issues: ArgumentIssue[];
      /** How many more there are than `issues` tells; those in alternatives are told in one. */
      more: number;
    };

export interface ArgumentValidator {
  /**
   * Checks arguments against the tool's input schema, in the dialect that it declares (default 2020-12). What can be
   * read without guessing is accepted: `"5"` for an integer, `"[1]"` for an array, `null` for an optional parameter
   * left out. What cannot be checked in full (the schema does not compile, is too big, takes too long) passes, with the
   * reason, when required names and the types of parameters are right. A keyword that makes no sense is left out, and
   * the rest is checked. Arguments that nest too deep to be passed on are an issue. Never throws.
   */
  validate(tool: Pick<Tool, 'hash' | 'inputSchema'>, args: JsonObject): ValidationOutcome;
  /** Whether `value` fits a schema; unknown counts as a fit. `key` stands for the schema in the cache. */
  fits(key: string, schema: JsonObject, value: unknown): boolean;
}

/** Rounds of reading: a text within a text is read one level a round. */
const readRoundsMax = 3;
/** Of arguments beyond these, only names and types are checked: they are data, such as files, rather than parameters. */
const argumentLimits = { values: 20_000, depth: 100 };
/** Deeper ones may overflow the stack of whoever writes or reads them; more values than any frame holds may be a cycle. */
const passableLimits = { values: 5_000_000, depth: 200 };
/** Checking real arguments takes well under 1 ms. */
const validateMaxMs = 250;
/** A check of so few steps takes a few milliseconds at most, and needs no clock, whose start takes longer than most checks. */
const untimedMaxSteps = 200_000;

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
  if (exceeds(args, passableLimits)) return { ok: false, issues: [tooDeep], more: 0 };
  const whole = readAndCheck((value) => check(cache, key, schema, value), args);
  if (!('skipped' in whole)) return whole;
  const basic = basicSchema(schema);
  const outcome = readAndCheck((value) => checkWith(cache.get(`basic ${key}`, basic), value), args);
  if ('skipped' in outcome) return { ok: true, value: args, skipped: whole.skipped };
  return outcome.ok ? { ...outcome, skipped: whole.skipped } : outcome;
}

const tooDeep: ArgumentIssue = {
  path: '',
  rule: 'depth',
  expected: `at most ${passableLimits.depth} levels of nesting`,
  got: 'more',
};

type Checked = { errors: readonly ErrorObject[]; root: JsonObject } | { skipped: string };
type Outcome = { ok: true; value: JsonObject } | Extract<ValidationOutcome, { ok: false }>;

/** Checks, reads what came as text, and checks again. */
function readAndCheck(checkValue: (value: JsonObject) => Checked, args: JsonObject): Outcome | { skipped: string } {
  let value = args;
  for (let round = 0; ; round += 1) {
    const checked = checkValue(value);
    if ('skipped' in checked) return checked;
    const { errors, root } = checked;
    if (errors.length === 0) return { ok: true, value };
    const read = round < readRoundsMax ? readLeniently(value, errors, root) : undefined;
    if (read === undefined) return { ok: false, ...toIssues(value, errors, root) };
    value = read;
  }
}

function check(cache: CompileCache, key: string, schema: JsonObject, value: unknown): Checked {
  const { values, depth } = measureJson(value, argumentLimits);
  if (values > argumentLimits.values || depth > argumentLimits.depth) {
    return { skipped: 'the arguments are too big to check' };
  }
  return checkWith(cache.get(key, schema), value, values);
}

/** `values`: how many values there are to check. */
function checkWith(compilation: Compilation, value: unknown, values = Number.POSITIVE_INFINITY): Checked {
  if ('skipped' in compilation) return compilation;
  try {
    const { check: compiled, root, stepsPerValue } = compilation;
    const run = () => compiled(value);
    const isShort = values * stepsPerValue <= untimedMaxSteps;
    const outcome = isShort ? { ok: true as const, value: run() } : withinTime(validateMaxMs, run);
    if (outcome.ok) return { errors: outcome.value ? [] : (compiled.errors ?? []), root };
    return { skipped: `a check against the schema took longer than ${validateMaxMs} ms` };
  } catch (error) {
    return { skipped: `a check against the schema broke off: ${messageOf(error)}` };
  }
}

function exceeds(value: unknown, limits: { values: number; depth: number }): boolean {
  const { values, depth } = measureJson(value, limits);
  return values > limits.values || depth > limits.depth;
}
