import type { JsonObject, JsonValue } from '../model/index.ts';
import { cleanText } from './clean-text.ts';
import { type Projected, type Projection, projectSchema } from './project-schema.ts';
import { fitsTokens } from './token-count.ts';

export interface FittedSchema {
  /** JSON on one line. */
  text: string;
  collapsed: number;
  isShortened: boolean;
}

/**
 * A schema as JSON of at most `maxTokens` (o200k): in full where it fits, else with its texts shortened, then with
 * deeper parts collapsed, as little as necessary.
 */
export function fitSchema(
  schema: JsonValue,
  root: JsonObject,
  { maxTokens, path = [] }: { maxTokens: number; path?: readonly string[] },
): FittedSchema {
  const chars = maxTokens * charsPerTokenMax;
  for (const step of steps) {
    const projection = { ...step, nodes: Math.min(step.nodes, chars), chars };
    const projected = projectSchema(schema, root, projection, { path, mapText: cleanText });
    const text = JSON.stringify(projected.schema);
    if (text.length <= chars && fitsTokens(text, maxTokens)) return fitted(text, projected);
  }
  const least = projectSchema(schema, root, { ...leastStep, chars }, { path, mapText: cleanText });
  const text = JSON.stringify(least.schema);
  return { text: cutToTokens(text, maxTokens), collapsed: least.collapsed, isShortened: true };
}

/** The longest head of a text that has at most `maxTokens`, with `…` where it was cut. */
export function cutToTokens(text: string, maxTokens: number): string {
  if (text.length <= maxTokens * charsPerTokenMax && fitsTokens(text, maxTokens)) return text;
  let low = 0;
  let high = Math.min(text.length, maxTokens * charsPerTokenMax);
  while (high - low > cutPrecisionChars) {
    const middle = (low + high) >> 1;
    if (fitsTokens(`${text.slice(0, middle)}…`, maxTokens)) low = middle;
    else high = middle;
  }
  return low === 0 ? '' : `${text.slice(0, low).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Longer texts than this a token are never counted: English has 4.5, dense JSON less. */
const charsPerTokenMax = 8;
const cutPrecisionChars = 16;

const whole = { depth: 64, nodes: 20_000, enumValues: 500, textChars: 20_000 };
/** From generous to meagre: first texts are shortened, then depth is given up, then more of the texts. */
const steps: readonly Omit<Projection, 'chars'>[] = [
  whole,
  { ...whole, textChars: 400, enumValues: 60 },
  { ...whole, textChars: 200, enumValues: 30 },
  ...[8, 6, 5, 4, 3].map((depth) => ({ ...whole, depth, textChars: 200, enumValues: 30 })),
  { ...whole, depth: 3, textChars: 80, enumValues: 12 },
  { ...whole, depth: 2, textChars: 200, enumValues: 20 },
  { ...whole, depth: 2, textChars: 80, enumValues: 12 },
  { ...whole, depth: 1, textChars: 160, enumValues: 20 },
  { ...whole, depth: 1, textChars: 60, enumValues: 6 },
  { ...whole, depth: 1, textChars: 0, enumValues: 3 },
];
const leastStep = { depth: 1, nodes: 500, enumValues: 1, textChars: 0 };

function fitted(text: string, { collapsed, isShortened }: Projected): FittedSchema {
  return { text, collapsed, isShortened };
}
