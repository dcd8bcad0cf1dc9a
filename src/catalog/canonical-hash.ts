import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** SHA-256 (hex) over the RFC 8785 form: equal for equal JSON, whatever the order of keys and the spacing. */
export function canonicalHash(value: JsonValue): string {
  return textHash(canonicalText(value));
}

/** SHA-256 (hex) of a text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * RFC 8785 takes numbers and texts as `JSON.stringify` writes them, so that sorting the keys is enough, in half the time
 * of the library. It cannot be done for keys such as "10", which an object always gives first and in their own order.
 */
function canonicalText(value: JsonValue): string {
  const copy = sortedCopy(value);
  return (copy === undefined ? canonicalize(value) : JSON.stringify(copy)) ?? 'null';
}

/** With the keys of every object in order; undefined where an object has a key that cannot be put in order. */
function sortedCopy(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return sortedList(value);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const item = isOrdinary(key) ? sortedCopy(value[key] as JsonValue) : undefined;
    if (item === undefined) return undefined;
    copy[key] = item;
  }
  return copy;
}

/** Not one that an object puts first, whatever the order in which it was added, nor the one that sets its prototype. */
function isOrdinary(key: string): boolean {
  const first = key.charCodeAt(0);
  return !(first >= 48 && first <= 57) && key !== '__proto__';
}

function sortedList(list: readonly JsonValue[]): JsonValue | undefined {
  const copy: JsonValue[] = [];
  for (const value of list) {
    const item = sortedCopy(value);
    if (item === undefined) return undefined;
    copy.push(item);
  }
  return copy;
}
