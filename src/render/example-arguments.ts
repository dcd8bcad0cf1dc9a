import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { cleanText } from './clean-text.ts';
import { listAt, parametersOf } from './parameters.ts';
import { resolveRef } from './schema-ref.ts';

/**
 * Arguments that satisfy the required parameters, as far as they can be made up: a declared example, default or enum
 * value where there is one, else a value of the type, with `<name>` for free text.
 */
export function exampleArguments(inputSchema: JsonObject): JsonObject {
  return exampleObject(inputSchema, { root: inputSchema, refs: [], depth: 0 });
}

interface Place {
  root: JsonObject;
  refs: readonly string[];
  depth: number;
}

/** Required members of required members of …: beyond it a value of the right kind will do. */
const depthMax = 6;
/** Items made up for an array that demands some. */
const itemsMax = 5;
/** Characters made up for a text that demands a length. */
const textMaxChars = 200;

function exampleObject(schema: JsonValue, place: Place): JsonObject {
  if (place.depth > depthMax) return {};
  const required = parametersOf(schema, place.root, place.refs).filter(({ isRequired }) => isRequired);
  const entries = required.map(({ name, schema: member, refs }) => [
    name,
    exampleValue(member, name, { ...place, refs, depth: place.depth + 1 }),
  ]);
  return Object.fromEntries(entries);
}

function exampleValue(schema: JsonValue, name: string, place: Place): JsonValue {
  const { schema: at, refs } = resolveRef(schema, place.root, place.refs);
  if (!isJsonObject(at)) return placeholder(name);
  const given = givenValue(at);
  if (given !== undefined) return given;
  const inside = { ...place, refs };
  const alternatives = [...listAt(at.anyOf), ...listAt(at.oneOf)];
  const first = alternatives.find((one) => !(isJsonObject(one) && one.type === 'null'));
  if (first !== undefined && at.properties === undefined) {
    if (place.depth > depthMax) return null;
    const { anyOf: _anyOf, oneOf: _oneOf, ...common } = at;
    const merged = isJsonObject(first) ? { ...common, ...first } : first;
    return exampleValue(merged, name, { ...inside, depth: place.depth + 1 });
  }
  return valueOfType(at, name, inside);
}

function givenValue(schema: JsonObject): JsonValue | undefined {
  if (schema.const !== undefined) return schema.const;
  const values = [schema.default, schema.example, ...listAt(schema.examples)];
  const allowed = listAt(schema.enum);
  const fitting = values.find((value) => value !== undefined && value !== null && fitsKind(value, schema));
  if (fitting !== undefined && (allowed.length === 0 || allowed.includes(fitting))) return fitting;
  return allowed[0];
}

/** A default that contradicts its own type is no help. */
function fitsKind(value: JsonValue, { type }: JsonObject): boolean {
  if (typeof type !== 'string') return true;
  if (type === 'integer') return Number.isInteger(value);
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return kind === type;
}

function valueOfType(schema: JsonObject, name: string, place: Place): JsonValue {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'string':
      return exampleText(schema, name);
    case 'integer':
    case 'number':
      return exampleNumber(schema, type);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return exampleArray(schema, name, place);
    case 'object':
      return exampleObject(schema, place);
    default:
      if (schema.properties !== undefined || schema.allOf !== undefined) return exampleObject(schema, place);
      return schema.items === undefined ? placeholder(name) : exampleArray(schema, name, place);
  }
}

const textsByFormat: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function exampleText(schema: JsonObject, name: string): string {
  const text = textsByFormat[String(schema.format)] ?? placeholder(name);
  const least = Math.min(numberAt(schema.minLength) ?? 0, textMaxChars);
  const most = numberAt(schema.maxLength) ?? textMaxChars;
  return text.padEnd(least, 'x').slice(0, most);
}

function placeholder(name: string): string {
  return `<${cleanText(name).slice(0, placeholderMaxChars)}>`;
}

const placeholderMaxChars = 40;

function exampleNumber(schema: JsonObject, type: string): number {
  const step = numberAt(schema.multipleOf) ?? (type === 'integer' ? 1 : undefined);
  const least = numberAt(schema.minimum) ?? above(numberAt(schema.exclusiveMinimum));
  const most = numberAt(schema.maximum) ?? below(numberAt(schema.exclusiveMaximum));
  const value = least ?? Math.min(1, most ?? 1);
  const stepped = step === undefined || step <= 0 ? value : Math.ceil(value / step) * step;
  return most !== undefined && stepped > most ? ((least ?? most) + most) / 2 : stepped;
}

function above(bound: number | undefined): number | undefined {
  return bound === undefined ? undefined : Math.floor(bound) + 1;
}

function below(bound: number | undefined): number | undefined {
  return bound === undefined ? undefined : Math.ceil(bound) - 1;
}

function exampleArray(schema: JsonObject, name: string, place: Place): JsonValue[] {
  const inside = { ...place, depth: place.depth + 1 };
  const tuple = listAt(schema.prefixItems);
  if (tuple.length > 0) return tuple.slice(0, itemsMax).map((item) => exampleValue(item, name, inside));
  if (place.depth > depthMax || schema.items === undefined) return [];
  const count = Math.min(Math.max(1, numberAt(schema.minItems) ?? 0), numberAt(schema.maxItems) ?? itemsMax, itemsMax);
  const item = exampleValue(schema.items, singular(name), inside);
  return Array.from({ length: count }, () => item);
}

function singular(name: string): string {
  return name.replace(/([^s])s$/, '$1');
}

function numberAt(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
