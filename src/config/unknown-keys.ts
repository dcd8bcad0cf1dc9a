import { closest, distance } from 'fastest-levenshtein';
import { isJsonObject } from '../model/index.ts';
import type { ConfigProblem, JsonPath } from './problem.ts';
import { knownKeys } from './schema.ts';
import { type ConfigSource, problemAt } from './source.ts';

/** Keys of other hosts that are of no use here, and whose absence changes nothing about a server. */
const foreignKeys: Partial<Record<KeyScope, readonly string[]>> = {
  config: ['$schema', 'globalShortcut', 'inputs', 'preferences', 'sandbox', 'isUsingBuiltInNodeForMcp'],
  server: ['$schema', 'alwaysAllow', 'autoApprove', 'dev', 'gallery', 'icon', 'name', 'version'],
};

/** Keys of other hosts that a server may need and toolcrib does not act on. */
const unsupportedKeys: Record<string, string> = {
  envFile: '"envFile" is not read; name the variables the server needs under "env"',
  auth: '"auth" is not used; say how to log in under "oauth", or give the server a header under "headers"',
};

type KeyScope = keyof typeof knownKeys;

/** A warning for each key that means nothing here, with the known key it is close to. */
export function unknownKeyWarnings(
  source: ConfigSource,
  value: unknown,
  scope: KeyScope,
  path: JsonPath,
): ConfigProblem[] {
  if (!isJsonObject(value)) return [];
  const ignored = [...knownKeys[scope], ...(foreignKeys[scope] ?? [])];
  return Object.keys(value)
    .filter((key) => value[key] !== undefined && !ignored.includes(key))
    .map((key) => {
      const message = (scope === 'server' && unsupportedKeys[key]) || unknownKeyMessage(key, scope);
      return problemAt(source, [...path, key], { severity: 'warning', message });
    });
}

function unknownKeyMessage(key: string, scope: KeyScope): string {
  const nearest = closest(key.toLowerCase(), knownKeys[scope]);
  const isNear = distance(key.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(nearest.length / 3));
  const hint = isNear ? `; did you mean "${nearest}"?` : '; it is ignored';
  return `unknown key ${JSON.stringify(key)}${hint}`;
}
