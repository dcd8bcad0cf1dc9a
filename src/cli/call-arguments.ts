import { readFileSync } from 'node:fs';
import { messageOf, ToolcribError } from '../errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/**
 * The arguments of a call from the words after `--args`: a JSON object, `@file` with one, or `key=value` pairs; later
 * words win. A value of a pair is JSON where it is JSON and its parameter does not want a text.
 * Throws `usage_invalid`.
 */
export function parseCallArguments(words: readonly string[], inputSchema?: JsonValue): JsonObject {
  const given = new Set<string>();
  const args = words.flatMap((word) => {
    if (word.startsWith('@')) return Object.entries(parseObject(readArguments(word.slice(1)), word.slice(1)));
    if (word.trimStart().startsWith('{')) return Object.entries(parseObject(word, '--args'));
    const [key, value] = splitPair(word);
    if (given.has(key)) throw usage(`The argument ${JSON.stringify(key)} is given twice.`);
    given.add(key);
    return [[key, pairValue(value, parameterSchema(inputSchema, key))] as const];
  });
  return Object.fromEntries(args);
}

function readArguments(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(`The file of arguments ${path} cannot be read: ${messageOf(error)}.`, error);
  }
}

function parseObject(text: string, origin: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  const got = value === undefined ? 'text that is not valid JSON' : Array.isArray(value) ? 'a list' : typeof value;
  throw usage(`Expected a JSON object of arguments in ${origin}, got ${got}.`);
}

function splitPair(word: string): [key: string, value: string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw usage(`Expected a JSON object, @file or key=value after --args, got ${JSON.stringify(word)}.`);
}

/** `id=123` is a number, unless the tool wants a text there. */
function pairValue(text: string, schema: JsonObject | undefined): JsonValue {
  const value = parseJson(text);
  if (value === undefined) return text;
  return wantsText(schema) && typeof value !== 'string' ? text : value;
}

function wantsText(schema: JsonObject | undefined): boolean {
  if (Array.isArray(schema?.enum)) return schema.enum.every((value) => typeof value === 'string');
  return schema?.type === 'string';
}

function parameterSchema(inputSchema: JsonValue | undefined, key: string): JsonObject | undefined {
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined;
  const schema = isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

/** Nothing for text that is not JSON. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function usage(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('usage_invalid', message, {
    next: `Give arguments as --args '{"key": "value"}', --args @file.json or --args key=value.`,
    ...(cause !== undefined && { cause }),
  });
}
