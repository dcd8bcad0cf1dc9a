import type { Tool, ToolDefinition } from '../model/index.ts';

/**
 * What `tools/list` shows of a tool in direct mode: the definition as its server sent it, key by key, under the exposed
 * name. The input schema is the repaired one. `execution` is left out: it would invite hosts to use the Tasks extension.
 */
export function toolListing(tool: Tool): ToolDefinition {
  const { execution: _execution, ...definition } = tool.definition;
  return {
    ...definition,
    name: tool.exposedName,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
  };
}
