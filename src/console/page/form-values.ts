import type { JsonObject, JsonValue } from '../../model/json.ts';

/** How one parameter is filled in. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json';

export interface FormField {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  description: string;
  /** Of a choice, as JSON. */
  choices: string[];
  /** In words, as `integer` or `string[]`. */
  type: string;
}

/** A form for an input schema. What no simple control fits is typed as JSON. */
export function fieldsOf(schema: JsonObject): FormField[] {
  const properties = asObject(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, value]) =>
    fieldOf(name, asObject(value), required.includes(name)),
  );
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** What was typed into a field. Names come from servers: one may be called like what every object has. */
export function typedInto(typed: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(typed, name) ? (typed[name] ?? '') : '';
}

/** The arguments of what was typed, by field; what was left empty is left out. Throws what is no JSON with the field's name. */
export function argumentsOf(fields: readonly FormField[], typed: Readonly<Record<string, string>>): JsonObject {
  const given = fields.flatMap((field): [string, JsonValue][] => {
    const text = typedInto(typed, field.name);
    return text === '' ? [] : [[field.name, readValue(field, text)]];
  });
  return Object.fromEntries(given);
}

function fieldOf(name: string, schema: JsonObject, isRequired: boolean): FormField {
  const { description, type } = schema;
  const choices = Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : [];
  return {
    name,
    kind: choices.length > 0 ? 'choice' : kindOf(schema),
    isRequired,
    description: typeof description === 'string' ? description : '',
    choices,
    type:
      choices.length > 0 ? 'one of a few' : isList(schema) ? 'list of texts' : typeof type === 'string' ? type : 'JSON',
  };
}

function kindOf(schema: JsonObject): FieldKind {
  if (schema.type === 'string') return 'text';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'boolean';
  return isList(schema) ? 'list' : 'json';
}

function isList({ type, items }: JsonObject): boolean {
  return type === 'array' && asObject(items).type === 'string' && asObject(items).enum === undefined;
}

function readValue({ kind, name }: FormField, text: string): JsonValue {
  if (kind === 'text') return text;
  if (kind === 'list') return text.split('\n').filter((line) => line !== '');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Error(`${name}: ${JSON.stringify(text.slice(0, 40))} is not ${kind === 'json' ? 'JSON' : `a ${kind}`}.`);
  }
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
