import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { refOf, resolveRef } from './schema-ref.ts';

export interface Parameter {
  name: string;
  schema: JsonValue;
  isRequired: boolean;
  /** References that led here: followed again, they would be a cycle. */
  refs: readonly string[];
}

/** `allOf` in `allOf` in …: deeper than anyone writes by hand. */
const nestingMax = 8;

/**
 * The parameters of an object schema, in its own order, with `$ref`, `allOf`, `anyOf` and `oneOf` at the top taken into
 * account: of alternatives, only what all of them demand is required.
 */
export function parametersOf(schema: JsonValue, root: JsonObject, refs: readonly string[] = []): Parameter[] {
  const { properties, required } = membersOf(schema, root, refs, 0);
  const named = [...properties].map(([name, at]) => ({ name, ...at, isRequired: required.has(name) }));
  const nameless = [...required].filter((name) => !properties.has(name));
  return [...named, ...nameless.map((name) => ({ name, schema: {}, isRequired: true, refs }))];
}

/** The names of all parameters of an input schema. */
export function parameterNames(inputSchema: JsonObject): string[] {
  return parametersOf(inputSchema, inputSchema).map(({ name }) => name);
}

interface Members {
  properties: Map<string, { schema: JsonValue; refs: readonly string[] }>;
  required: Set<string>;
}

function membersOf(schema: JsonValue, root: JsonObject, seen: readonly string[], nesting: number): Members {
  const { schema: at, refs } = resolveRef(schema, root, seen);
  const members: Members = { properties: new Map(), required: new Set() };
  if (!isJsonObject(at)) return members;
  addOwn(members, at, refs);
  if (nesting >= nestingMax || refOf(at) !== undefined) return members;
  for (const part of listAt(at.allOf)) {
    const inner = membersOf(part, root, refs, nesting + 1);
    addProperties(members, inner);
    for (const name of inner.required) members.required.add(name);
  }
  for (const alternatives of [listAt(at.anyOf), listAt(at.oneOf)]) {
    const inner = alternatives.map((part) => membersOf(part, root, refs, nesting + 1));
    for (const one of inner) addProperties(members, one);
    for (const name of inner[0]?.required ?? []) {
      if (inner.every(({ required }) => required.has(name))) members.required.add(name);
    }
  }
  return members;
}

function addOwn(members: Members, schema: JsonObject, refs: readonly string[]): void {
  if (isJsonObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties))
      members.properties.set(name, { schema: property, refs });
  }
  for (const name of listAt(schema.required)) if (typeof name === 'string') members.required.add(name);
}

function addProperties(members: Members, { properties }: Members): void {
  for (const [name, property] of properties) if (!members.properties.has(name)) members.properties.set(name, property);
}

export function listAt(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
