import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { lookUp, memberOf, partsOf } from './json-pointer.ts';

/** One value, name or pattern: enough to know it again. */
const shownMaxChars = 80;

/** A path of names: the end of a longer one is what tells. */
const pathMaxChars = 200;

const valuesShown = 10;

/** References that lead to references: longer chains are mistakes. */
const referencesMaxCount = 16;

/** A value as short JSON on one line. */
export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && value.length > shownMaxChars)
    return `${quote(value).slice(0, -1)}…" (${value.length} characters)`;
  if (Array.isArray(value) && value.length > 3) return `an array of ${value.length} items`;
  const json = oneLine(JSON.stringify(value) ?? 'nothing');
  if (json.length <= shownMaxChars) return json;
  return isJsonObject(value) ? `an object with ${enumerate(Object.keys(value), nameWords)}` : cut(json);
}

/** Text in quotes, on one line and cut. */
export function quote(text: string): string {
  return oneLine(JSON.stringify(text.slice(0, shownMaxChars)));
}

/** The first of the values, each in words, and how many more there are. */
export function enumerate<Value>(values: readonly Value[], words: (value: Value) => string): string {
  const shown = values.slice(0, valuesShown).map(words).join(', ');
  return values.length > valuesShown ? `${shown} and ${values.length - valuesShown} more` : shown;
}

/** A property name as it stands in text. */
export function nameWords(name: string): string {
  return cut(oneLine(name));
}

/** What a schema asks for, in a few words: `integer`, `one of "a", "b"`, `object with owner, repo`. */
export function schemaWords(schema: JsonValue | undefined, root: JsonObject): string {
  const target = followReferences(schema, root);
  if (!isJsonObject(target)) return target === false ? 'nothing' : 'any value';
  if (target.const !== undefined) return show(target.const);
  if (Array.isArray(target.enum)) return `one of ${enumerate(target.enum, show)}`;
  const types = listOf(target.type);
  const words = types.length === 0 ? '' : types.join(' or ');
  const required = listOf(target.required).map((name) => requiredWords(String(name), target, root));
  if (required.length === 0) return words || (isJsonObject(target.properties) ? 'object' : 'any value');
  return `${words || 'object'} with ${enumerate(required, (name) => name)}`;
}

/** A property that tells alternatives apart comes with its value: `type "page"`. */
function requiredWords(name: string, { properties }: JsonObject, root: JsonObject): string {
  const schema = followReferences(memberOf(properties, name), root);
  const constant = isJsonObject(schema) ? constantOf(schema) : undefined;
  return constant === undefined ? nameWords(name) : `${nameWords(name)} ${show(constant)}`;
}

/** The only value that a schema takes, when it says so. */
function constantOf(schema: JsonObject): JsonValue | undefined {
  return schema.const ?? (Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined);
}

/** The schema at the end of a chain of local references. */
export function followReferences(schema: JsonValue | undefined, root: JsonObject): JsonValue | undefined {
  let at = schema;
  for (let count = 0; count < referencesMaxCount && isJsonObject(at); count += 1) {
    const target = lookUp(at.$ref, root);
    if (target === undefined) return at;
    at = target;
  }
  return at;
}

/** The place that an instance path names, as people write it: `/labels/0/name` → `labels[0].name`. */
export function fieldOf(pointer: string, ...names: readonly string[]): string {
  const steps = partsOf(pointer).map((part) => (/^\d{1,9}$/.test(part) ? `[${part}]` : `.${nameWords(part)}`));
  const field = [...steps, ...names.map((name) => `.${nameWords(name)}`)].join('').replace(/^\./, '');
  return field.length > pathMaxChars ? `…${field.slice(-pathMaxChars).replace(/^[\uDC00-\uDFFF]/, '')}` : field;
}

export function listOf(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value as JsonValue];
}

/** Text of at most `maxChars`, and no half characters. */
export function cut(text: string, maxChars = shownMaxChars): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** Line ends, controls, and what changes the reading order or cannot be seen are written as escapes. */
function oneLine(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\u115F\u1160\u3164\uFFA0]/gu;
