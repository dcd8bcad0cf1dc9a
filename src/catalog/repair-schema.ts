import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** A usable input schema with what was mended, or the reason why there is none. */
export type SchemaRepair = { schema: JsonObject; mended: string[] } | { unusable: string };

const nonObjectTypes = ['string', 'number', 'integer', 'boolean', 'array', 'null'];

/**
 * Makes an `inputSchema` what MCP demands, an object schema with `type: "object"`, and keeps every key it knows nothing
 * about. Some real servers leave the type out of every tool, and a client that insists loses their whole list.
 */
export function repairInputSchema(raw: JsonValue | undefined): SchemaRepair {
  if (raw === undefined || raw === null) {
    return { schema: { type: 'object' }, mended: ['the input schema was missing; any arguments are accepted'] };
  }
  if (raw === true) return { schema: { type: 'object' }, mended: ['the input schema was `true`'] };
  if (!isJsonObject(raw)) return { unusable: `the input schema is ${kindOf(raw)}, not an object` };
  const mended: string[] = [];
  const schema: JsonObject = { ...raw };
  const unusable = repairType(schema, mended);
  if (unusable !== undefined) return { unusable };
  repairRequired(schema, mended);
  repairProperties(schema, mended);
  return { schema, mended };
}

function repairType(schema: JsonObject, mended: string[]): string | undefined {
  const { type } = schema;
  if (type === 'object') return undefined;
  if (typeof type === 'string' && nonObjectTypes.includes(type)) {
    return `the input schema has type "${type}"; arguments are always an object`;
  }
  if (Array.isArray(type) && !type.includes('object')) {
    return `the input schema has types ${JSON.stringify(type)}; arguments are always an object`;
  }
  mended.push(
    type === undefined ? 'the input schema had no type' : `the input schema had type ${JSON.stringify(type)}`,
  );
  schema.type = 'object';
  return undefined;
}

function repairRequired(schema: JsonObject, mended: string[]): void {
  const { required } = schema;
  if (required === undefined) return;
  if (Array.isArray(required) && required.every((name) => typeof name === 'string')) return;
  mended.push('"required" was not a list of names');
  if (Array.isArray(required)) schema.required = required.filter((name) => typeof name === 'string');
  else delete schema.required;
}

function repairProperties(schema: JsonObject, mended: string[]): void {
  const { properties } = schema;
  if (properties === undefined) return;
  if (!isJsonObject(properties)) {
    mended.push('"properties" was not an object');
    delete schema.properties;
    return;
  }
  const broken = Object.keys(properties).filter((name) => !isSchema(properties[name]));
  if (broken.length === 0) return;
  mended.push(`the schemas of ${broken.map((name) => `"${name}"`).join(', ')} were not schemas`);
  schema.properties = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? value : {}]),
  );
}

function isSchema(value: JsonValue | undefined): boolean {
  return isJsonObject(value) || typeof value === 'boolean';
}

/** The JSON type of a value with its article, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}
