import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import type { JsonObject } from '../model/index.ts';
import { toRegExp } from './keywords.ts';

/** True for a fit; after false, `errors` holds all of them. */
export interface CompiledSchema {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** JSON Schema dialects that are told apart. Older drafts are read as draft-07, once mended. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

/** The dialect that `$schema` names; 2020-12, MCP's default, for none or an unknown one. */
export function dialectOf({ $schema }: JsonObject): Dialect {
  if (typeof $schema !== 'string') return '2020-12';
  if ($schema.includes('2019-09')) return '2019-09';
  return /draft-0?[1-7]/.test($schema) ? 'draft-07' : '2020-12';
}

/**
 * Compiles a mended schema. Nothing is fetched. Throws what ajv throws for a schema that it cannot take. Each schema has
 * an ajv of its own, as equal `$id`s of two tools must not meet, and one ajv would keep every schema for good.
 */
export function compileIn(dialect: Dialect, schema: JsonObject): CompiledSchema {
  const AjvOfDialect = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv }[dialect];
  const ajv = new AjvOfDialect(options);
  (addFormats as unknown as FormatsPlugin)(ajv, { mode: 'fast' });
  return ajv.compile(schema) as CompiledSchema;
}

const options: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  // Servers' schemas are taken as they are; what is wrong in them is mended, or shows when they are compiled.
  validateSchema: false,
  meta: false,
  logger: false,
  // Parameters may be called `constructor` or `toString`.
  ownProperties: true,
  code: { regExp: Object.assign(tolerantPattern, { code: 'new RegExp' }) },
};

function tolerantPattern(pattern: string, flags: string): RegExp {
  return toRegExp(pattern, flags) ?? /(?:)/;
}
