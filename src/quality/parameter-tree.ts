import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { parametersOf, resolveRef } from '../render/index.ts';

/** A parameter, or a member of one. */
export interface NamedParameter {
  /** `filter.ids[]`: a dot leads into an object, `[]` into the items of a list. */
  path: string;
  name: string;
  /** With references followed. */
  schema: JsonObject;
  description: string;
  isRequired: boolean;
  /** 0 for those of the tool itself. */
  depth: number;
}

/** What a model fills in by hand; deeper places are data. */
const depthMax = 3;
/** Real tools have up to some hundred; a schema with more is judged by its first ones. */
const parametersMax = 500;

/** The parameters of an input schema, outer ones first. Cycles end where they close. */
export function parameterTree(inputSchema: JsonObject): NamedParameter[] {
  const found: NamedParameter[] = [];
  let level: Branch[] = [{ schema: inputSchema, prefix: '', refs: [] }];
  for (let depth = 0; depth <= depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((branch) => addLevel(found, inputSchema, branch, depth));
  }
  return found;
}

interface Branch {
  schema: JsonValue;
  prefix: string;
  refs: readonly string[];
}

/** Adds the members of one object and returns the objects below it. */
function addLevel(
  found: NamedParameter[],
  root: JsonObject,
  { schema, prefix, refs }: Branch,
  depth: number,
): Branch[] {
  const below: Branch[] = [];
  for (const parameter of parametersOf(schema, root, refs)) {
    if (found.length >= parametersMax) break;
    const resolved = resolveRef(parameter.schema, root, parameter.refs);
    const at = isJsonObject(resolved.schema) ? resolved.schema : {};
    const path = `${prefix}${parameter.name}`;
    const description = typeof at.description === 'string' ? at.description.trim() : '';
    found.push({ path, name: parameter.name, schema: at, description, isRequired: parameter.isRequired, depth });
    below.push({ schema: at, prefix: `${path}.`, refs: resolved.refs });
    if (isJsonObject(at.items)) below.push({ schema: at.items, prefix: `${path}[].`, refs: resolved.refs });
  }
  return below;
}

/** The types that a schema allows, by itself or by its alternatives; empty where it does not say. */
export function typesOf(schema: JsonObject): string[] {
  const own = Array.isArray(schema.type) ? schema.type : [schema.type];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf]
    .flatMap((part) => (Array.isArray(part) ? part : []))
    .filter(isJsonObject)
    .flatMap((part) => (Array.isArray(part.type) ? part.type : [part.type]));
  return [...new Set([...own, ...alternatives].filter((type) => typeof type === 'string'))];
}
