import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { resolveRef } from '../render/index.ts';

export interface FlatSchema {
  schema: JsonObject;
  /** What the schema cannot say any more, as a sentence for the model. */
  note?: string;
}

/** Keywords that providers refuse at the top of a function's parameters. */
const refusedAtRoot = ['allOf', 'anyOf', 'const', 'else', 'enum', 'if', 'not', 'oneOf', 'then', '$ref'];

/** Sets of parameters that are told apart in words. */
const choicesShown = 6;

/**
 * A schema with an object at the top and no unions beside it: the parameters of all branches become parameters of the whole,
 * and those that every branch wants stay required. Which ones go together is said in words.
 */
export function flattenRoot(schema: JsonObject): FlatSchema {
  const root = resolve(schema, schema);
  const all = branchesOf(root.allOf, schema);
  const choices = [branchesOf(root.anyOf, schema), branchesOf(root.oneOf, schema)].filter(({ length }) => length > 0);
  const parts = [root, ...all, ...choices.flat()];
  const required = new Set([root, ...all].flatMap(requiredOf));
  for (const choice of choices) for (const name of wantedByEach(choice)) required.add(name);
  const { properties: _properties, required: _required, type: _type, ...others } = root;
  for (const keyword of refusedAtRoot) delete others[keyword];
  const note = noteOf(choices);
  return {
    schema: {
      type: 'object',
      properties: mergeProperties(parts),
      ...(required.size === 0 ? {} : { required: [...required] }),
      ...others,
    },
    ...(note === undefined ? {} : { note }),
  };
}

/** References at the top are followed; `$defs` stay those of the whole. */
function resolve(schema: JsonObject, whole: JsonObject): JsonObject {
  const resolved = resolveRef(schema, whole).schema;
  return isJsonObject(resolved) ? resolved : schema;
}

function branchesOf(value: JsonValue | undefined, whole: JsonObject): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map((branch) => resolve(branch, whole)) : [];
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function wantedByEach(branches: readonly JsonObject[]): string[] {
  const [first, ...others] = branches.map(requiredOf);
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

/** A parameter that branches define differently may be either. */
function mergeProperties(parts: readonly JsonObject[]): JsonObject {
  const merged = new Map<string, JsonValue[]>();
  for (const { properties } of parts) {
    if (!isJsonObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      const known = merged.get(name) ?? [];
      const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(schema));
      merged.set(name, isKnown ? known : [...known, schema]);
    }
  }
  const properties = [...merged].map(([name, [first = {}, ...others]]) => [
    name,
    others.length === 0 ? first : { anyOf: [first, ...others] },
  ]);
  return Object.fromEntries(properties);
}

function noteOf(choices: readonly JsonObject[][]): string | undefined {
  const sentences = choices.flatMap((branches) => {
    const sets = [...new Set(branches.map((branch) => requiredOf(branch).join(', ')))].filter((set) => set !== '');
    if (sets.length < 2) return [];
    const more = sets.length > choicesShown ? ' or others' : '';
    return [`Give one of these sets of parameters: ${sets.slice(0, choicesShown).join(' | ')}${more}.`];
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
