import type { JsonObject, Tool } from '../../src/model/index.ts';

/** A tool as the catalog would hold it, from a raw definition. */
export function makeTool(definition: JsonObject, changes: Partial<Tool> = {}): Tool {
  const toolName = String(definition.name ?? 'tool');
  return {
    key: 1,
    serverId: 'srv',
    toolName,
    exposedName: `srv__${toolName}`,
    position: 0,
    status: 'ok',
    hash: 'a'.repeat(64),
    definition,
    inputSchema: { type: 'object', ...(definition.inputSchema as JsonObject | undefined) },
    ...(typeof definition.description === 'string' ? { description: definition.description } : {}),
    ...(definition.outputSchema === undefined ? {} : { outputSchema: definition.outputSchema as JsonObject }),
    ...(definition.annotations === undefined ? {} : { annotations: definition.annotations as JsonObject }),
    ...changes,
  };
}
