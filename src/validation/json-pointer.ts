import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** The parts of a JSON Pointer (RFC 6901), which is how ajv writes the path of a value. */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of a value within the one at `top`, or `undefined` when it is elsewhere. */
export function pointerWithin(pointer: string, top: string): string | undefined {
  return pointer === top || pointer.startsWith(`${top}/`) ? pointer.slice(top.length) : undefined;
}

/** What a `$ref` of the form `#` or `#/a/b` leads to; `undefined` for nothing, and for references of other forms. */
export function lookUp(ref: JsonValue | undefined, root: JsonObject): JsonValue | undefined {
  if (typeof ref !== 'string' || !(ref === '#' || ref.startsWith('#/'))) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of partsOf(decodeFragment(ref.slice(1)))) at = memberOf(at, part);
  return at;
}

/** An own member of an object or a list. */
export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isContainer(value) && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

export function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return Array.isArray(value) || isJsonObject(value);
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
