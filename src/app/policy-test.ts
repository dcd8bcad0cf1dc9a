import { ToolcribError } from '../errors/index.ts';
import type { CallPolicy, CatalogReader, JsonObject, PolicyTest, Tool, ToolId } from '../model/index.ts';
import { createArgumentValidator } from '../validation/index.ts';

/** What would happen to a call, and by which rule. Nothing is called. */
export function testPolicy(
  { catalog, policy }: { catalog: CatalogReader; policy: CallPolicy },
  id: ToolId,
  { caller = 'local', args }: { caller?: string; args?: JsonObject },
): PolicyTest {
  const tool = catalog.tool(id);
  if (tool === undefined)
    throw new ToolcribError('unknown_tool', `No tool ${JSON.stringify(id.toolName)} is listed any more.`);
  const problem = problemOf(tool, args);
  const { serverId: server, toolName, exposedName: name } = tool;
  const decision = policy.decide({ tool, caller });
  return { name, server, tool: toolName, caller, ...decision, ...(problem === undefined ? {} : { problem }) };
}

function problemOf(tool: Tool, args: JsonObject | undefined): string | undefined {
  if (tool.status !== 'ok' && tool.status !== 'repaired') return `the tool is ${tool.status.replace('_', ' ')}`;
  if (args === undefined) return undefined;
  const outcome = createArgumentValidator().validate(tool, args);
  if (outcome.ok) return undefined;
  const [first] = outcome.issues;
  return `the arguments do not fit${first === undefined ? '' : `: ${first.path || 'arguments'}: expected ${first.expected}, got ${first.got}`}`;
}
