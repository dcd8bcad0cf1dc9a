import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import type { Dialect } from './dialect.ts';
import { lookUp } from './json-pointer.ts';
import { definitionsOf, isPattern, isSchema, isUsable, membersOf, schemasBelow, schemasInPlace } from './keywords.ts';

/**
 * A copy of a schema without the keywords that ajv cannot take, each of which would cost the check of the whole tool,
 * and with what older drafts and OpenAPI spelt otherwise.
 */
export function mendSchema(schema: JsonObject, dialect: Dialect): JsonObject {
  const root = structuredClone(schema);
  delete root.$schema;
  for (const one of schemasOf(root)) mend(one, dialect);
  return root;
}

/**
 * Takes out of a mended schema, in place, what names its parts, and the references that need those names or lead to
 * no schema. For schemas whose references ajv cannot follow: what they stand for is then not checked.
 */
export function dropUnresolvable(root: JsonObject): void {
  for (const schema of schemasOf(root)) {
    for (const keyword of ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor']) delete schema[keyword];
    for (const keyword of referenceKeywords) if (!isSchema(lookUp(schema[keyword], root))) delete schema[keyword];
  }
}

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The schema and all within it, also those that only a reference tells to be one. Each may be changed when its turn comes. */
function* schemasOf(root: JsonObject): Iterable<JsonObject> {
  const seen = new Set<JsonObject>();
  const waiting = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    yield schema;
    for (const inner of [...schemasInPlace(schema), ...schemasBelow(schema), ...definitionsOf(schema)]) {
      waiting.push(inner);
    }
    const target = lookUp(schema.$ref, root);
    if (isJsonObject(target)) waiting.push(target);
  }
}

function mend(schema: JsonObject, dialect: Dialect): void {
  // `$async` makes ajv answer with a promise; `id` was the draft-04 name of `$id`, and is often a stray.
  delete schema.$async;
  delete schema.id;
  mendBounds(schema);
  mendPatterns(schema);
  if (dialect === '2020-12') mendTuple(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isUsable(keyword, value)) delete schema[keyword];
    else mendMembers(keyword, value);
  }
  // ajv refuses `nullable` without a type, and when false beside the type null.
  if (schema.nullable !== true || schema.type === undefined) delete schema.nullable;
}

/** `exclusiveMinimum: true` beside `minimum` became a number of its own in draft-06. */
function mendBounds(schema: JsonObject): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const limit = schema[bound];
    if (schema[exclusive] !== true || typeof limit !== 'number') continue;
    schema[exclusive] = limit;
    delete schema[bound];
  }
}

/** Without one of its patterns, a schema no longer tells which properties are additional. */
function mendPatterns(schema: JsonObject): void {
  const { patternProperties } = schema;
  if (!isJsonObject(patternProperties)) return;
  for (const pattern of Object.keys(patternProperties)) {
    if (isPattern(pattern)) continue;
    delete patternProperties[pattern];
    delete schema.additionalProperties;
    delete schema.unevaluatedProperties;
  }
}

/** A list of schemas in `items` became `prefixItems` in 2020-12. */
function mendTuple(schema: JsonObject): void {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return;
  schema.prefixItems ??= items;
  delete schema.items;
  delete schema.additionalItems;
  if (additionalItems !== undefined) schema.items = additionalItems;
}

/** What is no schema among schemas takes everything: left out, it would make its property unknown. */
function mendMembers(keyword: string, value: JsonValue): void {
  const members = membersOf(keyword, value) as JsonObject | undefined;
  if (members === undefined) return;
  for (const [name, member] of Object.entries(members)) {
    const isNames = keyword === 'dependencies' && Array.isArray(member) && isUsable('required', member);
    if (!isSchema(member) && !isNames) members[name] = true;
  }
}
