import type { z } from 'zod';
import type { ConfigProblem, JsonPath } from './problem.ts';
import { type ConfigSource, problemAt } from './source.ts';

/** The only texts that are repeated in a problem: anything else could be a secret. */
const keysShown = ['mode', 'embedding', 'provider', 'type', 'action', 'effect'];
const textShownMax = 60;

/** Checks a value against a schema whose messages say what was expected. */
export function check<Schema extends z.ZodType>(
  source: ConfigSource,
  schema: Schema,
  value: unknown,
  path: JsonPath,
): { data: z.output<Schema>; problems: [] } | { data?: never; problems: ConfigProblem[] } {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, problems: [] };
  const problems = result.error.issues.map((issue) => {
    const inner = issue.path.filter((key) => typeof key !== 'symbol');
    const at = valueAt(value, inner);
    // A top-level value that is checked on its own is known by its place.
    const key = at.key === '' && path.length === 1 ? String(path[0]) : at.key;
    const got = at.isShown ? describe(at.value, key) : kindOf(at.value);
    return problemAt(source, [...path, ...inner], {
      severity: 'error',
      message: `expected ${issue.message}, got ${got}`,
      expected: issue.message,
      got,
    });
  });
  return { problems };
}

function valueAt(value: unknown, path: JsonPath): { value: unknown; key: string; isShown: boolean } {
  const reached = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
  const holdsSecrets = path.some(
    (key) => key === 'env' || key === 'headers' || key === 'args' || key === 'apiKey' || key === 'oauth',
  );
  return { value: reached, key: String(path.at(-1) ?? ''), isShown: !holdsSecrets };
}

function describe(value: unknown, key: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || !keysShown.includes(key)) return kindOf(value);
  return JSON.stringify(value.length > textShownMax ? `${value.slice(0, textShownMax)}…` : value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  return kindNames[typeof value] ?? `a ${typeof value}`;
}

const kindNames: Record<string, string> = { string: 'a text', object: 'an object', boolean: 'true or false' };
