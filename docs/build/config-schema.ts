import { z } from 'zod';
import { embeddingNameSchema, embeddingSchema } from '../../src/config/embedding-schema.ts';
import { configSchema, serverSchema } from '../../src/config/schema.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/model/index.ts';
import { OptionDocs } from './option-docs.ts';

/**
 * The JSON schema of a config file: structure and bounds from the schemas that check it, words from the types of its options.
 * draft-07, which editors know best.
 */
export function configJsonSchema(): JsonObject {
  const config = toJsonSchema(configSchema);
  const server = toJsonSchema(serverSchema);
  const properties = config.properties as Record<string, JsonObject>;
  const docs = new OptionDocs();
  properties.embedding = { anyOf: [toJsonSchema(embeddingNameSchema), toJsonSchema(embeddingSchema)] };
  docs.describe(config, 'ToolcribOptions');
  docs.describe(server, 'ServerOptions');
  properties.servers = {
    ...properties.servers,
    description: 'The same as `mcpServers`, by the name that VS Code gives it.',
  };
  const undescribed = docs.undescribed.filter((path) => path !== 'ToolcribOptions.servers');
  if (undescribed.length > 0) throw new Error(`Say in src/config/options.ts what these are: ${undescribed.join(', ')}`);
  for (const key of ['mcpServers', 'servers']) {
    properties[key] = { ...properties[key], additionalProperties: { $ref: '#/definitions/server' } };
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Config of toolcrib',
    ...config,
    properties: { $schema: { type: 'string' }, ...properties },
    // Not of JSON Schema: editors of the VS Code family read them.
    allowComments: true,
    allowTrailingCommas: true,
    definitions: { server },
  };
}

function toJsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  return tidy(json as JsonObject) as JsonObject;
}

/** Without bounds that say nothing, and with short forms beside the long one. */
function tidy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isJsonObject(value)) return value;
  const { shortForm, ...rest } = value;
  const kept = Object.entries(rest).filter(([key, inner]) => !saysNothing(key, inner));
  const long = Object.fromEntries(kept.map(([key, inner]) => [key, tidy(inner)]));
  return shortForm === undefined ? long : { anyOf: [shortForm, long] };
}

function saysNothing(key: string, value: JsonValue): boolean {
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'additionalProperties') return JSON.stringify(value) === '{}';
  return key === 'propertyNames';
}
