import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** True for a fit; after false, `errors` holds all of them. */
export interface CompiledSchema {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** JSON Schema dialects that are told apart. Draft-06 is read as draft-07, which only adds to it. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07' | 'draft-04';

/** The dialects to try, in order. MCP's default is 2020-12; many schemas that declare none are older ones. */
export function dialectsOf({ $schema }: JsonObject): Dialect[] {
  if (typeof $schema !== 'string') return ['2020-12', 'draft-07', 'draft-04'];
  if ($schema.includes('2019-09')) return ['2019-09'];
  if (/draft-0?[67]/.test($schema)) return ['draft-07'];
  if (/draft-0?[1-4]/.test($schema)) return ['draft-04'];
  return ['2020-12', 'draft-07'];
}

/** Compiles a schema. Nothing is fetched. Throws what ajv throws for a schema that it cannot take. */
export function compileIn(dialect: Dialect, schema: JsonObject): CompiledSchema {
  const ajv = ajvOf(dialect);
  const source = dialect === 'draft-04' ? fromDraft4(schema) : schema;
  try {
    return ajv.compile(source as JsonObject) as CompiledSchema;
  } finally {
    // Else ajv keeps every schema for good; the cache of the validator is bounded.
    ajv.removeSchema(source as JsonObject);
  }
}

const instances = new Map<Dialect, Ajv>();

function ajvOf(dialect: Dialect): Ajv {
  let ajv = instances.get(dialect);
  if (ajv === undefined) {
    ajv =
      dialect === '2020-12' ? new Ajv2020(options) : dialect === '2019-09' ? new Ajv2019(options) : new Ajv(options);
    // A property schema that has a stray "id" is no reason to refuse the whole schema.
    ajv.removeKeyword('id');
    (addFormats as unknown as FormatsPlugin)(ajv, { mode: 'fast' });
    instances.set(dialect, ajv);
  }
  return ajv;
}

const options: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  // Servers' schemas are taken as they are; what is wrong in them shows when they are compiled.
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: Object.assign(tolerantPattern, { code: 'new RegExp' }) },
};

/** Patterns are often written for engines without the `u` flag; one that does not compile at all fits everything. */
function tolerantPattern(pattern: string, flags: string): RegExp {
  for (const tried of [flags, '']) {
    try {
      return new RegExp(pattern, tried);
    } catch {}
  }
  return /(?:)/;
}

/** `exclusiveMinimum: true` beside `minimum` became a number of its own in draft-06. */
function fromDraft4(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(fromDraft4);
  if (!isJsonObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromDraft4(member)]));
  for (const [exclusive, bound] of exclusiveBounds) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    if (copy[exclusive] && typeof copy[bound] === 'number') {
      copy[exclusive] = copy[bound];
      delete copy[bound];
    } else delete copy[exclusive];
  }
  return copy;
}

const exclusiveBounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;
