import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { type FlatSchema, flattenRoot } from './flatten-root.ts';

/** Deeper parts of a schema admit anything: no provider takes a nesting without end. */
const maxDepth = 40;

const schemaKeywords = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapKeywords = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * An input schema in the subset that model providers take for the parameters of a function: an object at the top without
 * unions, arrays with `items`, numeric bounds, local references alone. It admits more than the original where that has branches:
 * toolcrib checks each call against the original.
 */
export function providerSchema(schema: JsonObject): FlatSchema {
  const { $schema: _dialect, $id: _id, ...mended } = mend(schema, 0) as JsonObject;
  return flattenRoot(mended);
}

function mend(schema: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(schema)) return schema;
  if (depth > maxDepth) return {};
  const mended = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
    if (keyword === '$ref' && typeof value === 'string' && !value.startsWith('#')) return [];
    if (keyword === 'required' && !Array.isArray(value)) return [];
    if (schemaKeywords.includes(keyword)) return [[keyword, mendSchemas(value, depth)]];
    if (listKeywords.includes(keyword)) return [[keyword, mendSchemas(value, depth)]];
    if (mapKeywords.includes(keyword) && isJsonObject(value)) {
      return [
        [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mend(part, depth + 1)]))],
      ];
    }
    return [[keyword, value]];
  });
  return withNumericBounds(withItems(Object.fromEntries(mended)));
}

function mendSchemas(value: JsonValue, depth: number): JsonValue {
  return Array.isArray(value) ? value.map((part) => mend(part, depth + 1)) : mend(value, depth + 1);
}

/** Providers refuse an array that does not say what is in it, and a list of schemas for its places (draft-07). */
function withItems(schema: JsonObject): JsonObject {
  const { items, type } = schema;
  if (Array.isArray(items)) {
    const { additionalItems: _rest, ...others } = schema;
    return { ...others, items: items.length === 0 ? {} : { anyOf: items } };
  }
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && items === undefined ? { ...schema, items: {} } : schema;
}

/** `exclusiveMinimum: true` beside `minimum` (draft-04) as the number that it means since. */
function withNumericBounds(schema: JsonObject): JsonObject {
  const bounds = { ...schema };
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = bounds[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    const bound = bounds[inclusive];
    delete bounds[exclusive];
    if (!isExclusive || typeof bound !== 'number') continue;
    bounds[exclusive] = bound;
    delete bounds[inclusive];
  }
  return bounds;
}
