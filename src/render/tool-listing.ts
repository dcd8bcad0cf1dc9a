import { isJsonObject, type JsonObject, type JsonValue, type Tool, type ToolDefinition } from '../model/index.ts';
import { withoutUnseen } from './clean-text.ts';

/**
 * What `tools/list` shows of a tool in direct mode: the definition as its server sent it, key by key, without characters
 * that nobody sees, under the exposed name. The input schema is the repaired one. Optional fields of a wrong kind are left out: hosts check the whole list, and
 * one `"title": null` would take every other tool with it. `execution` is left out as well: it would invite hosts to use the
 * Tasks extension.
 */
export function toolListing(tool: Tool): ToolDefinition {
  const { execution: _execution, ...definition } = withoutUnseen(tool.definition) as JsonObject;
  for (const [field, repair] of Object.entries(fieldRepairs)) {
    if (!Object.hasOwn(definition, field)) continue;
    const value = repair(definition[field] as JsonValue);
    if (value === undefined) delete definition[field];
    else definition[field] = value;
  }
  return {
    ...definition,
    name: tool.exposedName,
    description: withoutUnseen(tool.description ?? '') as string,
    inputSchema: withObjectProperties(withoutUnseen(tool.inputSchema) as JsonObject),
  };
}

type Repair = (value: JsonValue) => JsonValue | undefined;

/** The optional fields of a tool as MCP has them (schema `Tool`); other keys pass as they are. */
const fieldRepairs: Record<string, Repair> = {
  title: text,
  annotations: repairFields({
    title: text,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
  }),
  outputSchema: objectSchema,
  icons: repairIcons,
  _meta: (value) => (isJsonObject(value) ? value : undefined),
};

const repairIcon = repairFields({
  mimeType: text,
  sizes: (value) => (Array.isArray(value) && value.every((size) => typeof size === 'string') ? value : undefined),
  theme: (value) => (value === 'light' || value === 'dark' ? value : undefined),
});

function repairIcons(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((icon) => isJsonObject(icon) && typeof icon.src === 'string')
    .flatMap((icon) => repairIcon(icon) ?? []);
}

/** Keeps an object but for the fields that are not what they must be. */
function repairFields(repairs: Record<string, Repair>): Repair {
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    const kept = Object.entries(value).filter(
      ([key, member]) => !Object.hasOwn(repairs, key) || repairs[key]?.(member) !== undefined,
    );
    return Object.fromEntries(kept);
  };
}

/** Hosts of the older revisions take object schemas only. */
function objectSchema(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value) || value.type !== 'object') return undefined;
  const { required, properties } = value;
  const hasNames =
    required === undefined || (Array.isArray(required) && required.every((name) => typeof name === 'string'));
  if (!hasNames || (properties !== undefined && !isJsonObject(properties))) return undefined;
  return withObjectProperties(value);
}

/** `true` and `false` as schemas, which hosts refuse, in their object forms. */
function withObjectProperties(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.values(properties).every(isJsonObject)) return schema;
  const objects = Object.entries(properties).map(([name, value]) => [
    name,
    isJsonObject(value) ? value : asObject(value),
  ]);
  return { ...schema, properties: Object.fromEntries(objects) };
}

function asObject(schema: JsonValue): JsonObject {
  return schema === false ? { not: {} } : {};
}

function text(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' ? value : undefined;
}

function flag(value: JsonValue): JsonValue | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
