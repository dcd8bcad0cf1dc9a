import { LRUCache } from 'lru-cache';
import { messageOf } from '../errors/index.ts';
import type { JsonObject } from '../model/index.ts';
import { stepsPerValue } from './check-steps.ts';
import { type CompiledSchema, compileIn, type Dialect, dialectOf } from './dialect.ts';
import { measureJson } from './measure-json.ts';
import { dropUnresolvable, mendSchema } from './mend-schema.ts';
import { withinTime } from './within-time.ts';

/** A schema ready to use, or the reason why values are not checked against it. */
export type Compilation =
  | {
      check: CompiledSchema;
      /** What is checked: the schema without what cannot be. Errors point into it. */
      root: JsonObject;
      /** At most so many steps for each value in what is checked; infinite where that cannot be told. */
      stepsPerValue: number;
    }
  | { skipped: string };

/** Compiled schemas kept: a compiled one takes about 50 kB, and few tools are called in one run. */
const cacheMaxEntries = 256;
/** The largest schema of 2,514 real tools has 9,000 values and nests 60 levels of JSON. */
const schemaLimits = { values: 50_000, depth: 200 };
/** Compiling the largest real schema takes 0.3 s. */
const compileMaxMs = 3_000;

/** Compiled schemas by the hash of what they come from. */
export class CompileCache {
  readonly #entries = new LRUCache<string, Compilation>({ max: cacheMaxEntries });

  /** `key` stands for the schema: the same key, the same schema. */
  get(key: string, schema: JsonObject): Compilation {
    let compilation = this.#entries.get(key);
    if (compilation === undefined) {
      compilation = compile(schema);
      this.#entries.set(key, compilation);
    }
    return compilation;
  }
}

function compile(schema: JsonObject): Compilation {
  const { values, depth } = measureJson(schema, schemaLimits);
  if (values > schemaLimits.values) return { skipped: `the schema has more than ${schemaLimits.values} values` };
  if (depth > schemaLimits.depth) return { skipped: `the schema nests deeper than ${schemaLimits.depth} levels` };
  try {
    const outcome = withinTime(compileMaxMs, () => compileMended(schema));
    if (outcome.ok) return { ...outcome.value, stepsPerValue: stepsPerValue(schema, values) };
    return { skipped: `the schema took longer than ${compileMaxMs} ms to compile` };
  } catch (error) {
    return { skipped: `the schema does not compile: ${messageOf(error)}` };
  }
}

function compileMended(schema: JsonObject): { check: CompiledSchema; root: JsonObject } {
  const dialect = dialectOf(schema);
  const root = mendSchema(schema, dialect);
  const check = compileOrDrop(dialect, root);
  // V8 compiles the code at its first run, which for a large schema takes longer than any check may.
  check({});
  return { root, check };
}

function compileOrDrop(dialect: Dialect, root: JsonObject): CompiledSchema {
  try {
    return compileIn(dialect, root);
  } catch {
    dropUnresolvable(root);
    return compileIn(dialect, root);
  }
}
