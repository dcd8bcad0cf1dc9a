import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/model/index.ts';

/** Texts that have broken programs before. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  '\u001b[2J\u001b]8;;http://x\u0007',
  '\u202e\u2066gnp.exe',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  `\${HOME}`,
  '{"a":1}',
  '[[[[',
  'null',
  '#/$defs/x',
  'https://127.0.0.1:9/x.json',
  '(a+)+$',
  'a'.repeat(10_000),
  '💩'.repeat(500),
  '\u0301'.repeat(300),
  'ﬀ İ ı ß',
  'toolcrib__read_result',
  '=?base64?@@?=',
];

export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string(),
  fc.string({ unit: 'binary' }),
);

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 20.5),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any JSON value, small or strange. */
export const values: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue[]>(null, true, false, {}, [], [null], { $ref: '#' }, { type: 'object' }),
  texts,
  numbers,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  fc.integer({ min: 2, max: 400 }).map(nested),
);

interface Mutation {
  kind: 'delete' | 'replace' | 'rename' | 'wrap' | 'as text' | 'double';
  where: number;
  value: JsonValue;
  key: string;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom<Mutation['kind'][]>('delete', 'replace', 'rename', 'wrap', 'as text', 'double'),
  where: fc.nat(),
  value: values,
  key: texts,
});

/** These values with up to `max` places changed. */
export function mutated(base: fc.Arbitrary<JsonValue>, max = 4): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(base, fc.array(mutations, { maxLength: max }))
    .map(([value, changes]) => changes.reduce((at, change) => mutate(at, change), value));
}

/** These texts with bytes cut out, doubled and put in. */
export function mutatedText(base: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 20 }), text: fc.oneof(fc.constant(''), texts) });
  return fc.tuple(base, fc.array(change, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((now, { at, length, text: put }) => {
      const from = now.length === 0 ? 0 : at % now.length;
      return now.slice(0, from) + put + now.slice(from + length);
    }, text),
  );
}

function mutate(root: JsonValue, { kind, where, value, key }: Mutation): JsonValue {
  const holder = { root: structuredClone(root) } as JsonObject;
  const places = placesIn(holder);
  const place = places[where % places.length];
  if (place === undefined) return value;
  const { parent, name } = place;
  const old = parent[name] ?? null;
  if (kind === 'delete') delete parent[name];
  if (kind === 'replace') parent[name] = value;
  if (kind === 'wrap') parent[name] = { [key]: old };
  if (kind === 'as text') parent[name] = JSON.stringify(old);
  if (kind === 'double') parent[name] = [old, old];
  if (kind === 'rename' && !Array.isArray(parent)) {
    delete parent[name];
    define(parent, key, old);
  }
  return holder.root ?? null;
}

/** Also `__proto__`, as `JSON.parse` makes it. */
function define(parent: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

/** More are not needed to reach every kind of place. */
const maxPlaces = 400;

function placesIn(holder: JsonObject): { parent: JsonObject; name: string }[] {
  const places: { parent: JsonObject; name: string }[] = [];
  const waiting: JsonValue[] = [holder];
  for (let at = waiting.shift(); at !== undefined && places.length < maxPlaces; at = waiting.shift()) {
    if (!isJsonObject(at) && !Array.isArray(at)) continue;
    for (const name of Object.keys(at)) {
      const parent = at as JsonObject;
      places.push({ parent, name });
      waiting.push(parent[name] ?? null);
    }
  }
  return places;
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { properties: value };
  return value;
}
