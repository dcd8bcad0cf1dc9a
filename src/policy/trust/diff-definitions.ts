import { isDeepStrictEqual } from 'node:util';
import { type FieldChange, isJsonObject, type JsonObject, type JsonValue } from '../../model/index.ts';

/** Nobody reads on; what is left out is said by a last change of the whole. */
const maxChanges = 1_000;
/** Deeper values are compared as one. */
const maxDepth = 64;

/** Two definitions field by field, in the order of the later one: what is not named is equal. */
export function diffDefinitions(before: JsonObject | undefined, after: JsonObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before ?? {}, after, '', 0, changes);
  return changes.slice(0, maxChanges);
}

function compare(before: JsonValue, after: JsonValue, path: string, depth: number, changes: FieldChange[]): void {
  if (changes.length >= maxChanges || isDeepStrictEqual(before, after)) return;
  if (depth > maxDepth || !isJsonObject(before) || !isJsonObject(after)) {
    changes.push({ path, kind: 'changed', before, after });
    return;
  }
  for (const [key, value] of Object.entries(after)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (Object.hasOwn(before, key)) compare(before[key] as JsonValue, value, at, depth + 1, changes);
    else changes.push({ path: at, kind: 'added', after: value });
  }
  for (const [key, value] of Object.entries(before)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(after, key)) changes.push({ path: at, kind: 'removed', before: value });
  }
}
