import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** A stored definition as an object: what a server sent in its place counts as one without anything in it. */
export function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
