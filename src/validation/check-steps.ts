import type { JsonObject } from '../model/index.ts';

/** Keywords whose work may grow faster than schema times value: they backtrack, recur, or compare all with all. */
const unbounded = ['pattern', 'patternProperties', 'format', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef'];

/**
 * At most how many steps a check against the schema takes for each value in what is checked: without such keywords, each
 * part of the schema looks at each value once at most. Infinite where that cannot be told. `schemaValues` is the
 * number of values that the schema holds.
 */
export function stepsPerValue(schema: JsonObject, schemaValues: number): number {
  const text = JSON.stringify(schema);
  // Also a parameter of such a name counts, which costs a moment and does no harm.
  return unbounded.some((keyword) => text.includes(`"${keyword}"`)) ? Number.POSITIVE_INFINITY : schemaValues;
}
