import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
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
  const ajv = new (ajvOf(dialect))(options);
  const { default: addFormats } = require('ajv-formats') as { default: FormatsPlugin };
  addFormats(ajv, { mode: 'fast' });
  return ajv.compile(schema) as CompiledSchema;
}

/** Loaded at the first schema: a search from the command line validates nothing and starts sooner without ajv. */
const require = createRequire(import.meta.url);

function ajvOf(dialect: Dialect): typeof Ajv {
  if (dialect === '2020-12') return require('ajv/dist/2020.js').default;
  if (dialect === '2019-09') return require('ajv/dist/2019.js').default;
  return require('ajv').default;
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
