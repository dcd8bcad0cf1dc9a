/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object whose keys are not known in advance. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when arrays and objects lie in each other more than `maxLevels` deep; also for values that hold themselves. */
export function isNestedDeeper(value: unknown, maxLevels: number): boolean {
  const waiting: { container: object; level: number }[] = [];
  const look = (at: unknown, level: number) => {
    if (typeof at === 'object' && at !== null) waiting.push({ container: at, level });
  };
  look(value, 1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { container, level } = next;
    if (level > maxLevels) return true;
    for (const child of Object.values(container)) look(child, level + 1);
  }
  return false;
}
