import { isJsonObject, type JsonObject, reservedServerId, type ToolDefinition } from '../model/index.ts';

/**
 * The whole list in discovery mode. Its bytes are pinned by a test: hosts cache prompts by them, so they depend on
 * nothing, neither on the catalog nor on the config. Plain types without unions, which every model provider takes.
 */
export const metaTools: readonly [ToolDefinition, ToolDefinition, ToolDefinition] = [
  {
    name: 'search_tools',
    description:
      'Find tools by what they do. Many more tools exist than are listed here, so search before saying that you lack one. Ask for one capability a search, in English, such as "create github issue"; search again for the next. Give server when you know it. Answers with signatures ready for call_tool.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'One capability: action and object' },
        server: { type: 'string', description: 'Only this server' },
        limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Default 5' },
        detail: { type: 'string', enum: ['name', 'summary', 'schema'], description: 'Default summary' },
        cursor: { type: 'string', description: 'nextCursor of the same search' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'describe_tool',
    description: 'Show one tool in full: description, schemas, example. Needed only when its signature is not enough.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'As search_tools gave it' },
        path: { type: 'string', description: 'JSON pointer to a collapsed part of the input schema' },
      },
      required: ['name'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_tool',
    description: 'Run a tool that search_tools found.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'As search_tools gave it' },
        arguments: { type: 'object', description: "By the tool's signature", additionalProperties: true },
      },
      required: ['name', 'arguments'],
    },
    annotations: { destructiveHint: true, openWorldHint: true },
  },
];

/** What a host shows its model about toolcrib as a whole, by the mode at the start. */
export const instructions = {
  discovery:
    'toolcrib reaches many tools on many servers through three of its own: search_tools finds them, describe_tool explains one, call_tool runs it. Before you say that something cannot be done, search for a tool.',
  direct: 'toolcrib brings the tools of several servers together; each is listed as <server>__<tool>.',
};

/** Reads pages of a cut result. */
export const readResultName = `${reservedServerId}__read_result`;

/** In direct mode, behind the tools of all servers; in discovery mode it is called through `call_tool`. Fixed bytes as well. */
export const readResultTool: ToolDefinition = {
  name: readResultName,
  description: 'Read on in a result that was cut. The cut result says with which handle and offset.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'As the cut result gave it' },
      offset: { type: 'integer', minimum: 0, description: 'First character, default 0' },
      pointer: { type: 'string', description: 'JSON pointer to one part, such as /items/0' },
      limit: { type: 'integer', minimum: 1, description: 'Characters at most' },
    },
    required: ['handle'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** True for names that are run without being listed: toolcrib's own, and tools of a server that took the same id. */
export function isReservedName(name: string): boolean {
  return name.startsWith(`${reservedServerId}__`);
}

/** The input schema of a meta-tool. */
export function metaInputSchema(name: string): JsonObject {
  const schema = [...metaTools, readResultTool].find((tool) => tool.name === name)?.inputSchema;
  return isJsonObject(schema) ? schema : {};
}
