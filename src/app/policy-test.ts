import { ToolcribError } from '../errors/index.ts';
import type { CallPolicy, CatalogReader, JsonObject, PolicyTest, StoredToken, Tool, ToolId } from '../model/index.ts';
import { createCallerScope, isInForce } from '../policy/index.ts';
import { createArgumentValidator } from '../validation/index.ts';

interface PolicyTestDeps {
  catalog: CatalogReader;
  policy: CallPolicy;
  tokens: readonly StoredToken[];
  isTrusted: (serverId: string) => boolean;
}

/** What would happen to a call, and by which rule. Nothing is called. */
export function testPolicy(
  { catalog, policy, tokens, isTrusted }: PolicyTestDeps,
  id: ToolId,
  { caller = 'local', args }: { caller?: string; args?: JsonObject },
): PolicyTest {
  const tool = catalog.tool(id);
  if (tool === undefined)
    throw new ToolcribError('unknown_tool', `No tool ${JSON.stringify(id.toolName)} is listed any more.`);
  const problem = problemOf(tool, args);
  const { serverId: server, toolName, exposedName: name } = tool;
  const token = tokens.find((one) => [one.name, principalOf(one)].includes(caller) && isInForce(one, Date.now()));
  const principal = token === undefined ? caller : principalOf(token);
  const isInScope =
    token === undefined || createCallerScope(token.scopes, isTrusted).allows(tool, () => tool.annotations);
  const decision = policy.decide({ tool, caller: principal });
  if (!isInScope) {
    const { effect, isEffectKnown } = decision;
    const reason = `no scope of the token of ${token.name} is for it (${token.scopes.join(' ')}): to them it does not exist`;
    return { name, server, tool: toolName, caller: principal, action: 'deny', reason, effect, isEffectKnown };
  }
  return {
    name,
    server,
    tool: toolName,
    caller: principal,
    ...decision,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** As whom rules know the caller of a token. */
function principalOf({ name }: StoredToken): string {
  return `client:${name}`;
}

function problemOf(tool: Tool, args: JsonObject | undefined): string | undefined {
  if (tool.status !== 'ok' && tool.status !== 'repaired') return `the tool is ${tool.status.replace('_', ' ')}`;
  if (args === undefined) return undefined;
  const outcome = createArgumentValidator().validate(tool, args);
  if (outcome.ok) return undefined;
  const [first] = outcome.issues;
  return `the arguments do not fit${first === undefined ? '' : `: ${first.path || 'arguments'}: expected ${first.expected}, got ${first.got}`}`;
}
