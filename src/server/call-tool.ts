import {
  type CallToolRequestParams,
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isToolcribError, messageOf, type OutcomeCode, outcomeOf, unknownOutcomeNext } from '../errors/index.ts';
import {
  type CallToolResult as AnyToolResult,
  type CallerScope,
  type HostCallOptions,
  isJsonObject,
  type JsonObject,
  type Router,
} from '../model/index.ts';
import { declaredCapabilities, elicitationOptions } from './elicitation.ts';
import { invalidParams } from './errors.ts';
import type { Era, Face } from './face.ts';
import { principalOf } from './principal.ts';
import { ProgressRelay } from './progress-relay.ts';
import { thirdPartyMeta, toWireResult } from './wire-result.ts';

/**
 * Answers one `tools/call`. A name that is not listed and a `requestState` that is not ours for this call are protocol
 * errors (-32602); every other fault is an `isError` result, which hosts show to the model. Hosts of 2026-07-28 may get
 * questions to their user instead.
 */
export async function callTool(
  face: Face,
  era: Era,
  server: Server,
  params: CallToolRequestParams,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { mcpReq } = context;
  const progress = new ProgressRelay(mcpReq._meta?.progressToken, mcpReq.notify, face.logger);
  const principal = principalOf(context);
  const run = { face, params, declared: era === 'modern' ? declaredCapabilities(mcpReq) : undefined };
  const result = await runTool(run, {
    signal: mcpReq.signal,
    onProgress: (tick) => progress.send(tick),
    meta: thirdPartyMeta(mcpReq._meta as JsonObject | undefined),
    ...principal,
    requestId: String(mcpReq.id),
    ...elicitationOptions({ era, server, mcpReq, logger: face.logger }),
  });
  await progress.settled();
  if (!('content' in result)) return result as InputRequiredResult;
  const outputSchema =
    result.structuredContent === undefined ? undefined : outputSchemaOf(face.router, params.name, principal.scope);
  return toWireResult(result, { era, server, outputSchema });
}

interface Run {
  face: Face;
  params: CallToolRequestParams;
  /** Of a request that says what its host can do. */
  declared: JsonObject | undefined;
}

async function runTool({ face, params: { name, arguments: args }, declared }: Run, options: HostCallOptions) {
  try {
    return await face.router.callTool(name, args ?? {}, options);
  } catch (error) {
    if (isToolcribError(error, 'unknown_tool'))
      throw invalidParams(unknownToolMessage(name, face.router, options.scope));
    if (isToolcribError(error, 'input_state_invalid')) {
      throw invalidParams(`${error.message} ${error.next}`, { reason: 'invalid_request_state' });
    }
    if (declared !== undefined) throwIfUndeclared(error, declared);
    if (isToolcribError(error)) return errorResult(outcomeOf(error.code), `${error.message} ${error.next}`);
    face.logger.error('tool call failed inside toolcrib', { tool: name, error: messageOf(error) });
    return errorResult(
      'upstream_timeout_unknown_outcome',
      `toolcrib itself failed while it ran ${JSON.stringify(name)}. The call may have run. ${unknownOutcomeNext}`,
    );
  }
}

/** MCP 2026-07-28: what a request would need its host to do, and the host did not say it can, is told as such (-32021). */
function throwIfUndeclared(error: unknown, declared: JsonObject): void {
  if (!isToolcribError(error, 'input_unavailable')) return;
  const { requiredCapabilities } = error.details;
  if (!isJsonObject(requiredCapabilities) || declares(declared, requiredCapabilities)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities }, `${error.message} ${error.next}`);
}

function declares(declared: JsonObject, required: JsonObject): boolean {
  return Object.entries(required).every(([name, needs]) => {
    const has = declared[name];
    return isJsonObject(has) && (!isJsonObject(needs) || declares(has, needs));
  });
}

function errorResult(code: OutcomeCode, text: string): AnyToolResult {
  return {
    content: [{ type: 'text', text: `${code}: ${text}` }],
    isError: true,
    _meta: { 'dev.toolcrib/error': { code } },
  };
}

/** Enough for the meta-tools and a usual direct list; past it a message stops being readable. */
const maxNamesInMessage = 20;

function unknownToolMessage(name: string, router: Router, scope: CallerScope | undefined): string {
  const names = router.listTools(scope).map((tool) => tool.name);
  const shown = names.slice(0, maxNamesInMessage).join(', ');
  const more = names.length > maxNamesInMessage ? ` and ${names.length - maxNamesInMessage} more` : '';
  return `Unknown tool: ${JSON.stringify(name)}. This server lists: ${shown}${more}.`;
}

function outputSchemaOf(router: Router, name: string, scope: CallerScope | undefined): JsonObject | undefined {
  const schema = router.listTools(scope).find((tool) => tool.name === name)?.outputSchema;
  return schema as JsonObject | undefined;
}
