import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { parseExactly } from './exact-json.ts';
import { isContainer, memberOf, partsOf } from './json-pointer.ts';

/**
 * A copy of the arguments in which texts that stand where no text may stand are read as the JSON that they hold, and
 * `null` for an optional parameter that takes none is left out. `undefined` when there is nothing of the kind. Never
 * touches a value that the schema, or one of its alternatives, would take as text.
 */
export function readLeniently(
  args: JsonObject,
  errors: readonly ErrorObject[],
  inputSchema: JsonObject,
): JsonObject | undefined {
  const byPlace = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    // An error of a name has the name as its data.
    if (error.propertyName !== undefined) continue;
    const ofPlace = byPlace.get(error.instancePath);
    if (ofPlace === undefined) byPlace.set(error.instancePath, [error]);
    else ofPlace.push(error);
  }
  let copy: JsonObject | undefined;
  for (const [path, ofPlace] of byPlace) {
    const given = ofPlace[0]?.data as JsonValue;
    if (path === '') continue;
    if (typeof given === 'string') {
      const types = admittedTypes(ofPlace);
      const read = types === undefined ? undefined : readText(given, types);
      if (read === undefined) continue;
      copy ??= structuredClone(args);
      replaceAt(copy, path, read.value);
    } else if (given === null && isOptionalParameter(path, inputSchema)) {
      copy ??= structuredClone(args);
      removeAt(copy, path);
    }
  }
  return copy;
}

/** The types that the schema takes at a place, when the type is all that is wrong there and text is not among them. */
function admittedTypes(errors: readonly ErrorObject[]): Set<string> | undefined {
  const ofType = errors.filter(({ keyword }) => keyword === 'type');
  const wrongSchemas = new Set(ofType.map(({ parentSchema }) => parentSchema));
  const isOnlyType = errors.every(
    ({ keyword, parentSchema, schema }) =>
      combiners.has(keyword) || wrongSchemas.has(parentSchema) || (keyword === 'enum' && !holdsText(schema)),
  );
  const types = new Set<string>(ofType.flatMap(({ params }) => params.type as string | string[]));
  return types.size > 0 && isOnlyType && !types.has('string') && !ofType.some(enumOfText) ? types : undefined;
}

const combiners = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'discriminator']);

function enumOfText({ parentSchema }: ErrorObject): boolean {
  return holdsText(parentSchema?.enum);
}

function holdsText(values: unknown): boolean {
  return Array.isArray(values) && values.some((value) => typeof value === 'string');
}

/** Texts beyond this are content, not a value written as text. */
const textMaxChars = 1_000_000;

function readText(text: string, types: Set<string>): { value: JsonValue } | undefined {
  const value = text.length > textMaxChars ? undefined : parseExactly(text.trim());
  return value !== undefined && typesOf(value).some((type) => types.has(type)) ? { value } : undefined;
}

function typesOf(value: JsonValue): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

function isOptionalParameter(path: string, { required }: JsonObject): boolean {
  const [name = '', ...deeper] = partsOf(path);
  return deeper.length === 0 && !(Array.isArray(required) && required.includes(name));
}

function replaceAt(root: JsonObject, path: string, value: JsonValue): void {
  const { holder, key } = holderOf(root, path);
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else if (isJsonObject(holder)) holder[key] = value;
}

function removeAt(root: JsonObject, path: string): void {
  const { holder, key } = holderOf(root, path);
  if (isJsonObject(holder)) delete holder[key];
}

function holderOf(root: JsonObject, path: string): { holder: JsonValue | undefined; key: string } {
  const parts = partsOf(path);
  const key = parts.pop() ?? '';
  let holder: JsonValue | undefined = root;
  for (const part of parts) holder = memberOf(holder, part);
  return { holder: isContainer(holder) && Object.hasOwn(holder, key) ? holder : undefined, key };
}
