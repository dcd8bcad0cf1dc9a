import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { cutWithHash } from './provider-name.ts';

/** What providers take as the name of a parameter. */
const acceptable = /^[A-Za-z0-9_.-]{1,64}$/;

/** A schema whose parameters have names that providers take, with the way back. */
export interface RenamedParameters {
  schema: JsonObject;
  /** Arguments under the names that the tool itself uses. */
  restore(args: JsonObject): JsonObject;
}

/** Renames parameters such as `$filter`; schemas without any stay as they are. */
export function renameParameters(schema: JsonObject): RenamedParameters {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const odd = Object.keys(properties).filter((name) => !acceptable.test(name));
  if (odd.length === 0) return { schema, restore: (args) => args };
  const taken = new Set(Object.keys(properties));
  const renamed = new Map<string, string>();
  for (const name of odd) {
    const given = safeName(name, taken);
    taken.add(given);
    renamed.set(name, given);
  }
  const originals = new Map([...renamed].map(([original, given]) => [given, original]));
  return {
    schema: {
      ...schema,
      properties: renameKeys(properties, renamed),
      ...(Array.isArray(schema.required) ? { required: schema.required.map((name) => renameOne(name, renamed)) } : {}),
    },
    restore: (args) => renameKeys(args, originals),
  };
}

function safeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/gu, '_').replace(/^_+/, '');
  if (acceptable.test(plain) && !taken.has(plain)) return plain;
  return cutWithHash(plain, name);
}

function renameKeys(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}

function renameOne(name: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  return typeof name === 'string' ? (names.get(name) ?? name) : name;
}
