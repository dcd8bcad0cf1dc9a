import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { parsePointer } from './pointer.ts';

/** A place in a schema with its references followed. */
export interface Resolved {
  schema: JsonValue;
  /** The references followed on the way, to notice cycles. */
  refs: readonly string[];
}

/** References that lead to references: longer chains are mistakes. */
const chainMaxLength = 32;

/**
 * Follows local `$ref`s until a schema without one. Keywords beside a `$ref` stay and win, as descriptions beside it
 * are meant to. A reference that leads nowhere, out of the document, or back to one of `seen` is left as it is.
 */
export function resolveRef(schema: JsonValue, root: JsonObject, seen: readonly string[] = []): Resolved {
  let at = schema;
  const refs = [...seen];
  for (let length = 0; length < chainMaxLength && isJsonObject(at); length += 1) {
    const ref = refOf(at);
    if (ref === undefined || refs.includes(ref)) break;
    const target = lookUpRef(ref, root);
    if (target === undefined) break;
    refs.push(ref);
    at = withSiblings(target, at);
  }
  return { schema: at, refs };
}

/** The `$ref` of a schema, or what recursion looked like in draft 2019-09 and 2020-12. */
export function refOf(schema: JsonValue): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const ref = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
  return typeof ref === 'string' ? ref : undefined;
}

/** The place that a local reference names: a JSON Pointer in the document, or an anchor in its definitions. */
function lookUpRef(ref: string, root: JsonObject): JsonValue | undefined {
  if (!ref.startsWith('#')) return undefined;
  const fragment = decodeFragment(ref.slice(1));
  const parts = parsePointer(fragment);
  if (parts !== undefined) return lookUp(parts, root);
  return Object.values({ ...objectAt(root.definitions), ...objectAt(root.$defs) }).find(
    (schema) => isJsonObject(schema) && [schema.$anchor, schema.$dynamicAnchor, schema.$id].some(isNamed(fragment)),
  );
}

function isNamed(fragment: string): (name: JsonValue | undefined) => boolean {
  return (name) => name === fragment || name === `#${fragment}`;
}

function lookUp(parts: readonly string[], root: JsonObject): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const part of parts) at = child(at, part);
  return at;
}

/** The member of an object or array, own members only. */
export function child(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function withSiblings(target: JsonValue, schema: JsonObject): JsonValue {
  const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, ...siblings } = schema;
  if (!isJsonObject(target) || Object.keys(siblings).length === 0) return target;
  return { ...target, ...siblings };
}

function objectAt(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
