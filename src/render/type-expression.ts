import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { capText, cleanText } from './clean-text.ts';
import { listAt, parametersOf } from './parameters.ts';
import { resolveRef } from './schema-ref.ts';

/** How much of a type is shown. */
export interface TypeDetail {
  /** Values of an enum; the rest is counted. */
  enumValues: number;
  /** Characters of all values of an enum together. */
  enumChars: number;
  /** Levels of objects in objects whose members are shown. */
  depth: number;
  /** Members of a nested object, required ones first; the rest is counted. */
  members: number;
}

export const typeDetails = {
  full: { enumValues: 8, enumChars: 72, depth: 2, members: 5 },
  short: { enumValues: 3, enumChars: 32, depth: 1, members: 3 },
  bare: { enumValues: 0, enumChars: 0, depth: 0, members: 0 },
} as const satisfies Record<string, TypeDetail>;

/**
 * A schema as a short type in the manner of TypeScript: `string`, `"open"|"closed"`, `{id: integer, name?: string}[]`,
 * `string<date-time>`. What is left out is marked with `…`.
 */
export function typeExpression(
  schema: JsonValue,
  root: JsonObject,
  detail: TypeDetail,
  refs: readonly string[] = [],
): string {
  return express(schema, { root, detail, refs, depth: detail.depth, nesting: 0 });
}

interface Place {
  root: JsonObject;
  detail: TypeDetail;
  refs: readonly string[];
  /** Levels of objects that may still be opened. */
  depth: number;
  /** Levels of any kind above. */
  nesting: number;
}

/** Arrays of arrays of unions of …: beyond it a type says nothing to a reader. */
const nestingMax = 6;
/** Alternatives of a union that are shown. */
const alternativesMax = 4;
const valueMaxChars = 32;
/** Formats that change how a value is written; others are clear from the name. */
const tellingFormats = new Set(['date-time', 'date', 'time', 'duration', 'byte', 'binary']);

function express(schema: JsonValue, place: Place): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'any';
  const { schema: at, refs } = resolveRef(schema, place.root, place.refs);
  if (!isJsonObject(at) || place.nesting >= nestingMax) return 'any';
  const inside = { ...place, refs, nesting: place.nesting + 1 };
  const type = expressResolved(at, inside);
  return at.nullable === true ? union([type, 'null'], place) : type;
}

function expressResolved(schema: JsonObject, place: Place): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(schema.enum)) return enumeration(schema.enum, place);
  const alternatives = [...listAt(schema.anyOf), ...listAt(schema.oneOf)];
  if (alternatives.length > 0 && !isJsonObject(schema.properties)) return alternation(alternatives, schema, place);
  if (Array.isArray(schema.type)) {
    return union(
      schema.type.map((type) => expressType({ ...schema, type }, place)),
      place,
    );
  }
  const parts = listAt(schema.allOf);
  if (schema.type === undefined && parts.length > 0 && !hasMembers(schema, place)) {
    return parts.map((part) => express(part, place)).find((type) => type !== 'any') ?? 'any';
  }
  return expressType(schema, place);
}

function expressType(schema: JsonObject, place: Place): string {
  switch (schema.type) {
    case 'string':
      return expressString(schema);
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return arrayType(schema, place);
    case 'object':
      return objectType(schema, place);
    default:
      if (schema.items !== undefined) return arrayType(schema, place);
      return hasMembers(schema, place) || schema.additionalProperties !== undefined ? objectType(schema, place) : 'any';
  }
}

function expressString({ format }: JsonObject): string {
  return typeof format === 'string' && tellingFormats.has(format) ? `string<${format}>` : 'string';
}

function arrayType(schema: JsonObject, place: Place): string {
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : listAt(schema.items);
  if (tuple.length > 0) {
    const shown = tuple.slice(0, alternativesMax).map((item) => express(item, place));
    return `[${[...shown, ...(tuple.length > shown.length ? ['…'] : [])].join(', ')}]`;
  }
  const item = schema.items === undefined ? 'any' : express(schema.items, place);
  return /[|\s]/.test(item) && !/^\{[^{}]*\}$/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JsonObject, place: Place): string {
  const members = parametersOf(schema, place.root, place.refs);
  if (members.length === 0) return recordType(schema, place);
  if (place.depth <= 0) return '{…}';
  const sorted = [...members].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const shown = sorted.slice(0, place.detail.members).map(({ name, schema: member, isRequired, refs }) => {
    const type = express(member, { ...place, refs, depth: place.depth - 1 });
    return `${parameterName(name)}${isRequired ? '' : '?'}: ${type}`;
  });
  return `{${[...shown, ...moreOf(members.length - shown.length)].join(', ')}}`;
}

function recordType({ additionalProperties, patternProperties }: JsonObject, place: Place): string {
  const value = isJsonObject(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties;
  if (!isJsonObject(value) || Object.keys(value).length === 0) return 'object';
  return `{[key]: ${express(value, place)}}`;
}

function alternation(alternatives: JsonValue[], schema: JsonObject, place: Place): string {
  const constants = alternatives.map((one) => (isJsonObject(one) ? one.const : undefined));
  if (constants.every((value) => value !== undefined)) return enumeration(constants, place);
  const { anyOf: _anyOf, oneOf: _oneOf, ...common } = schema;
  return union(
    alternatives.map((one) => express(isJsonObject(one) ? inheritType(one, common) : one, place)),
    place,
  );
}

/** `{type: "string", anyOf: [{format: …}, {pattern: …}]}`: the type stands outside. */
function inheritType(alternative: JsonObject, { type }: JsonObject): JsonObject {
  const saysNothing = alternative.type === undefined && alternative.$ref === undefined && type !== undefined;
  return saysNothing ? { ...alternative, type } : alternative;
}

function union(types: string[], { detail }: Place): string {
  const distinct = [...new Set(types.flatMap((type) => (type === 'any' ? ['any'] : type)))];
  if (distinct.includes('any')) return 'any';
  const room = Math.max(2, Math.min(alternativesMax, detail.members));
  return [...distinct.slice(0, room), ...moreOf(distinct.length - room)].join('|');
}

function enumeration(values: JsonValue[], { detail }: Place): string {
  const shown: string[] = [];
  let chars = 0;
  for (const value of values.slice(0, detail.enumValues)) {
    const text = literal(value);
    chars += text.length + 1;
    if (chars > detail.enumChars && shown.length > 0) break;
    shown.push(text);
  }
  if (shown.length === 0) return baseType(values);
  return [...shown, ...moreOf(values.length - shown.length)].join('|');
}

function baseType(values: JsonValue[]): string {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.join('|') || 'any';
}

function literal(value: JsonValue): string {
  const json = JSON.stringify(typeof value === 'string' ? capText(cleanText(value), valueMaxChars) : value);
  return typeof value === 'string' ? json : capText(cleanText(json), valueMaxChars);
}

function hasMembers(schema: JsonObject, place: Place): boolean {
  return parametersOf(schema, place.root, place.refs).length > 0;
}

function moreOf(count: number): string[] {
  return count > 0 ? [`…+${count}`] : [];
}

/** A name as a model can pass it back: bare where it reads as an identifier, else in JSON quotes. */
export function parameterName(name: string): string {
  if (/^[A-Za-z_$][\w$.-]*$/.test(name) && name.length <= nameMaxChars) return name;
  return JSON.stringify(capText(cleanText(name), nameMaxChars));
}

/** Longer names are not names; real ones stay under 60. */
const nameMaxChars = 100;
