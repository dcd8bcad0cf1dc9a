import { isJsonObject, type JsonObject, type JsonValue } from '../../model/index.ts';

/** Keywords that only say something, to be scanned as text: they change no call. */
const textKeywords = ['title', 'description', '$comment'];
/** Their values are data, in which those words mean something else. */
const dataKeywords = ['default', 'const', 'enum', 'examples'];
/** Their keys are names and no keywords. */
const namedKeywords = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
/** Ingest sets aside what is nested deeper. */
const maxDepth = 512;

/** A schema without the words that describe it: equal shapes take equal arguments. */
export function schemaShape(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => schemaShape(item, depth + 1));
  if (!isJsonObject(schema) || depth > maxDepth) return schema ?? null;
  const shape: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (textKeywords.includes(key) && typeof value === 'string') continue;
    shape.push([key, shapeOf(key, value, depth)]);
  }
  return Object.fromEntries(shape);
}

function shapeOf(key: string, value: JsonValue, depth: number): JsonValue {
  if (dataKeywords.includes(key)) return value;
  if (key === 'required' && Array.isArray(value)) return inAnyOrder(value);
  if (namedKeywords.includes(key) && isJsonObject(value)) return shapesByName(value, depth + 1);
  return schemaShape(value, depth + 1);
}

/** Servers put anything into a list of names, also what has no text of its own. */
function inAnyOrder(values: readonly JsonValue[]): JsonValue[] {
  const texts = values.map((value) => JSON.stringify(value)).sort();
  return texts.map((text) => JSON.parse(text) as JsonValue);
}

function shapesByName(schemas: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaShape(schema, depth + 1)]));
}
