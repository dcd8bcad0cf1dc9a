import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** Whether ajv can take a keyword with this value. It gives up on a whole schema for one that it cannot. */
export function isUsable(keyword: string, value: JsonValue): boolean {
  return checks.get(keyword)?.(value) ?? true;
}

export function isSchema(value: JsonValue | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** The list or map of schemas, or of what should be, that a keyword holds. */
export function membersOf(keyword: string, value: JsonValue | undefined): JsonObject | JsonValue[] | undefined {
  if (schemaLists.has(keyword) && Array.isArray(value)) return value;
  return schemaMaps.has(keyword) && isJsonObject(value) ? value : undefined;
}

/** The schemas right within a schema that are for the same value as it. */
export function schemasInPlace(schema: JsonObject): JsonObject[] {
  return objectsOf(schema, inPlaceKeywords);
}

/** The schemas right within a schema that are for a member of its value, by the member's name where one is given. */
export function schemasBelow(schema: JsonObject, name?: string): JsonObject[] {
  const { properties } = schema;
  if (name === undefined || !isJsonObject(properties)) return objectsOf(schema, belowKeywords);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const others = objectsOf({ ...schema, properties: {} }, belowKeywords);
  return isJsonObject(own) ? [own, ...others] : others;
}

/** The schemas that are only there for references. */
export function definitionsOf(schema: JsonObject): JsonObject[] {
  return objectsOf(schema, ['$defs', 'definitions']);
}

function objectsOf(schema: JsonObject, keywords: readonly string[]): JsonObject[] {
  return keywords.flatMap((keyword) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return Object.values(membersOf(keyword, value) ?? [value as JsonValue]).filter(isJsonObject);
  });
}

const inPlaceKeywords = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

const belowKeywords = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
];

const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);

const schemaMaps = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const isType = (value: JsonValue) => typeof value === 'string' && types.includes(value);
const isText = (value: JsonValue) => typeof value === 'string';
const isNumber = (value: JsonValue) => typeof value === 'number' && Number.isFinite(value);
const isBoolean = (value: JsonValue) => typeof value === 'boolean';
const isCount = (value: JsonValue) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFilledList = (value: JsonValue) => Array.isArray(value) && value.length > 0;
const isNames = (value: JsonValue) => Array.isArray(value) && value.every(isText);

const checks = new Map<string, (value: JsonValue) => boolean>([
  ...keywords(isText, '$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef', '$recursiveRef', 'format'),
  ...keywords(isBoolean, '$recursiveAnchor', 'uniqueItems'),
  ...keywords(isNumber, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...keywords(isCount, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'),
  ...keywords(isCount, 'minProperties', 'maxProperties'),
  ...keywords(isJsonObject, ...schemaMaps),
  ...keywords(isFilledList, 'enum', ...schemaLists),
  ...keywords(isSchema, 'additionalItems', 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else'),
  ...keywords(isSchema, 'additionalProperties', 'unevaluatedProperties', 'propertyNames'),
  ['items', (value) => isSchema(value) || isFilledList(value)],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
  ['required', isNames],
  ['dependentRequired', (value) => isJsonObject(value) && Object.values(value).every(isNames)],
  ['type', (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))],
]);

function keywords(
  check: (value: JsonValue) => boolean,
  ...names: readonly string[]
): [string, (value: JsonValue) => boolean][] {
  return names.map((name) => [name, check]);
}

/** Whether a pattern compiles with or without the `u` flag. */
export function isPattern(pattern: string): boolean {
  return toRegExp(pattern, 'u') !== undefined;
}

/** JSON Schema asks for the `u` flag; many real patterns compile only without. */
export function toRegExp(pattern: string, flags: string): RegExp | undefined {
  for (const tried of [flags, '']) {
    try {
      return new RegExp(pattern, tried);
    } catch {}
  }
  return undefined;
}
