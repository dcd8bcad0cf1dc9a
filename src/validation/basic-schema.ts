import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { followReferences, listOf } from './words.ts';

/**
 * The part of an input schema that costs next to nothing to check, whatever the arguments hold: which parameters are
 * required, the type of each, and whether there may be others.
 */
export function basicSchema(root: JsonObject): JsonObject {
  const top = followReferences(root, root);
  const { $schema } = root;
  const dialect = $schema === undefined ? {} : { $schema };
  if (!isJsonObject(top)) return dialect;
  const parts = listOf(top.allOf).map((part) => followReferences(part, root));
  return {
    ...dialect,
    ...basicPart(top, root),
    ...(parts.length === 0 ? {} : { allOf: parts.filter(isJsonObject).map((part) => basicPart(part, root)) }),
  };
}

function basicPart(schema: JsonObject, root: JsonObject): JsonObject {
  const { properties, patternProperties, required, additionalProperties } = schema;
  const isClosed = additionalProperties === false && patternProperties === undefined && isJsonObject(properties);
  return {
    type: 'object',
    ...(isJsonObject(properties) ? { properties: typesOf(properties, root) } : {}),
    ...(Array.isArray(required) ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

function typesOf(properties: JsonObject, root: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, typeOf(schema, root)]));
}

function typeOf(schema: JsonValue, root: JsonObject): JsonValue {
  const at = followReferences(schema, root);
  if (!isJsonObject(at) || at.type === undefined) return true;
  return { type: at.type, ...(at.nullable === undefined ? {} : { nullable: at.nullable }) };
}
