import { isJsonObject, type JsonObject, type JsonValue } from '../../../model/index.ts';
import { formatCount, resolveRef } from '../../../render/index.ts';
import type { LintHit, LintRule } from '../rule.ts';

const unusable: LintRule = {
  code: 'broken_definition',
  level: 'error',
  title: 'definition had to be mended or set aside',
  why: 'Other clients refuse such a tool, or the whole list that it stands in.',
  fix: 'Mend the definition so that it follows the MCP schema of a tool.',
  *check({ tool: { status, problem } }) {
    if (status === 'set_aside' || status === 'repaired')
      yield { field: 'inputSchema', message: sentence(problem ?? status) };
  },
};

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const dialect: LintRule = {
  code: 'schema_dialect',
  level: 'warning',
  title: 'keywords of another schema dialect',
  why: 'Validators ignore what their dialect does not know, or refuse the whole schema; models read it as they like.',
  fix: 'Write JSON Schema 2020-12 (the default of MCP), or name the dialect in $schema.',
  *check({ tool: { inputSchema } }) {
    yield* dialectHits(inputSchema);
  },
};

const hugeDefinition: LintRule = {
  code: 'huge_definition',
  level: 'warning',
  title: 'definition of many tokens',
  why: 'Each token of a definition is paid for with every request that carries it, and long ones hide what matters.',
  fix: 'Cut examples and repeated text, replace large nested objects by what callers need, or split the tool.',
  *check({ tool }, catalog) {
    const tokens = catalog.tokensOf(tool);
    if (tokens > tokensMax)
      yield { field: 'inputSchema', message: `The definition takes ${formatCount(tokens)} tokens.` };
  },
};

/** Real definitions take about 500 on average. */
const tokensMax = 1_500;

export const schemaRules: readonly LintRule[] = [unusable, dialect, hugeDefinition];

/** Each kind of fault is told once a tool, at the first place. */
function dialectHits(root: JsonObject): LintHit[] {
  const hits = new Map<string, LintHit>();
  const report = (kind: string, path: string, message: string, level?: 'error') => {
    if (!hits.has(kind))
      hits.set(kind, { field: path === '' ? 'inputSchema' : `parameters.${path}`, message, ...(level && { level }) });
  };
  if (typeof root.$schema === 'string' && !knownDialect.test(root.$schema)) {
    report('$schema', '', `$schema names ${root.$schema.slice(0, 80)}, which is no dialect that MCP clients know.`);
  }
  for (const combinator of ['anyOf', 'oneOf', 'allOf', 'not']) {
    if (root[combinator] !== undefined)
      report(combinator, '', `${combinator} at the top is refused by some model APIs.`);
  }
  for (const { schema, path } of schemasOf(root)) {
    for (const { kind, isAt, message, level } of faults) if (isAt(schema, root)) report(kind, path, message, level);
  }
  return [...hits.values()];
}

const knownDialect = /^https?:\/\/json-schema\.org\/(?:draft-0[67]|draft\/(?:2019-09|2020-12))\/schema#?$/;
const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

interface Fault {
  kind: string;
  message: string;
  level?: 'error';
  isAt(schema: JsonObject, root: JsonObject): boolean;
}

const faults: readonly Fault[] = [
  {
    kind: 'nullable',
    message: '"nullable" is OpenAPI 3.0; JSON Schema has type ["…", "null"].',
    isAt: ({ nullable }) => typeof nullable === 'boolean',
  },
  {
    kind: 'exclusive',
    message: 'A boolean exclusiveMinimum or exclusiveMaximum is draft-04; since draft-06 it is the number itself.',
    isAt: ({ exclusiveMinimum, exclusiveMaximum }) =>
      typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean',
  },
  {
    kind: 'required',
    message: '"required" on a parameter itself is draft-03; it belongs beside "properties", as a list of names.',
    isAt: ({ required }) => typeof required === 'boolean',
  },
  {
    kind: 'type',
    message: 'Its type is none of JSON Schema.',
    level: 'error',
    isAt: ({ type }) => type !== undefined && [type].flat().some((one) => typeof one !== 'string' || !types.has(one)),
  },
  {
    kind: 'tuple',
    message: 'A list in "items" became "prefixItems" in 2020-12.',
    isAt: ({ items }, { $schema }) =>
      Array.isArray(items) && (typeof $schema !== 'string' || $schema.includes('2020-12')),
  },
  {
    kind: 'ref',
    message: '$ref leads nowhere in this definition.',
    level: 'error',
    isAt: (schema, root) => typeof schema.$ref === 'string' && !leadsSomewhere(schema, root),
  },
  {
    kind: 'members',
    message: 'Its members stand in the schema itself; they belong under "properties".',
    level: 'error',
    isAt: (schema) => isBareObject(schema),
  },
  {
    kind: 'pattern',
    message: 'Its pattern is no regular expression of ECMA-262.',
    isAt: ({ pattern }) => typeof pattern === 'string' && !isPattern(pattern),
  },
];

/** `{"id": {"type": "string"}}` where a schema should be: to a validator these are keywords that it does not know. */
function isBareObject(schema: JsonObject): boolean {
  const values = Object.entries(schema).filter(([key]) => key !== 'description');
  return (
    values.length > 0 &&
    values.every(([key, value]) => !schemaKeys.has(key) && isJsonObject(value) && typeof value.type === 'string')
  );
}

const schemaKeys = new Set(
  'properties items additionalProperties patternProperties $defs definitions anyOf oneOf allOf not if then else contains propertyNames default const examples example'.split(
    ' ',
  ),
);

function leadsSomewhere(schema: JsonObject, root: JsonObject): boolean {
  return resolveRef(schema, root).refs.length > 0;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

interface SchemaAt {
  schema: JsonObject;
  path: string;
}

/** A definition is read this far; the rest of a larger one has the same kinds of faults. */
const schemasMax = 2_000;

/** The schema and those within it, by the path of the parameter they belong to. */
function schemasOf(root: JsonObject): SchemaAt[] {
  const found: SchemaAt[] = [{ schema: root, path: '' }];
  for (let at = 0; at < found.length && found.length < schemasMax; at += 1) found.push(...below(found[at] as SchemaAt));
  return found;
}

function below({ schema, path }: SchemaAt): SchemaAt[] {
  const dot = path === '' ? '' : `${path}.`;
  return [
    ...members(schema.properties).map(([name, value]) => ({ value, path: `${dot}${name}` })),
    ...[...members(schema.$defs), ...members(schema.definitions)].map(([, value]) => ({ value, path })),
    ...[schema.items].flat().map((value) => ({ value, path: `${path}[]` })),
    ...[schema.anyOf, schema.oneOf, schema.allOf, schema.additionalProperties, schema.not]
      .flat()
      .map((value) => ({ value, path })),
  ].flatMap(({ value, path: where }) => (isJsonObject(value) ? [{ schema: value, path: where }] : []));
}

function members(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
