import type { CallToolRequestParams, CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server';
import { isToolcribError, messageOf } from '../errors/index.ts';
import type { CallToolResult as AnyToolResult, JsonObject, Progress, Router } from '../model/index.ts';
import { invalidParams } from './errors.ts';
import type { Era, Face } from './face.ts';
import { ProgressRelay } from './progress-relay.ts';
import { thirdPartyMeta, toWireResult } from './wire-result.ts';

/**
 * Answers one `tools/call`. A name that is not listed is a protocol error (-32602); every other fault is an `isError`
 * result, which hosts show to the model.
 */
export async function callTool(
  face: Face,
  era: Era,
  server: Server,
  params: CallToolRequestParams,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const progress = new ProgressRelay(mcpReq._meta?.progressToken, mcpReq.notify, face.logger);
  const result = await run(face, params, {
    signal: mcpReq.signal,
    onProgress: (tick) => progress.send(tick),
    meta: thirdPartyMeta(mcpReq._meta as JsonObject | undefined),
  });
  await progress.settled();
  const outputSchema = result.structuredContent === undefined ? undefined : outputSchemaOf(face.router, params.name);
  return toWireResult(result, { era, server, outputSchema });
}

interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  meta: JsonObject;
}

async function run(face: Face, { name, arguments: args }: CallToolRequestParams, options: RunOptions) {
  try {
    return await face.router.callTool(name, args ?? {}, options);
  } catch (error) {
    if (isToolcribError(error, 'unknown_tool')) throw invalidParams(unknownToolMessage(name, face.router));
    if (isToolcribError(error)) return errorResult(`${error.message} ${error.next}`);
    face.logger.error('tool call failed inside toolcrib', { tool: name, error: messageOf(error) });
    return errorResult(
      `internal: toolcrib itself failed while it ran ${JSON.stringify(name)}. The call may have taken effect. ` +
        'Try again once; if it fails again, report it with the log of the run.',
    );
  }
}

function errorResult(text: string): AnyToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Enough for the meta-tools and a usual direct list; past it a message stops being readable. */
const maxNamesInMessage = 20;

function unknownToolMessage(name: string, router: Router): string {
  const names = router.listTools().map((tool) => tool.name);
  const shown = names.slice(0, maxNamesInMessage).join(', ');
  const more = names.length > maxNamesInMessage ? ` and ${names.length - maxNamesInMessage} more` : '';
  return `Unknown tool: ${JSON.stringify(name)}. This server lists: ${shown}${more}.`;
}

function outputSchemaOf(router: Router, name: string): JsonObject | undefined {
  const schema = router.listTools().find((tool) => tool.name === name)?.outputSchema;
  return schema as JsonObject | undefined;
}
