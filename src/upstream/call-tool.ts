import type { Tool as SdkTool } from '@modelcontextprotocol/client';
import { messageOf } from '../errors/index.ts';
import type { CallOptions, CallToolResult, JsonObject, Progress, ServerSpec, Tool } from '../model/index.ts';
import { toCallToolResult, withoutReserved } from './call-result.ts';
import { fault } from './faults.ts';
import { isNestedDeeper, nestingMaxLevels } from './nesting.ts';
import type { Session } from './session.ts';
import { rawResult } from './tap-transport.ts';

export interface ToolCall {
  tool: Tool;
  args: JsonObject;
  options: CallOptions;
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
}

/**
 * One `tools/call`. Progress resets the idle limit `timeoutMs`, nothing resets `maxTimeoutMs`; at either, and when
 * `options.signal` aborts, the server is told that the call is cancelled. Throws `invalid_arguments` for what cannot be
 * sent, `cancelled`, `closed`, `upstream_timeout_unknown_outcome`, `upstream_error`, or an error of the SDK, which `toFault` explains.
 */
export async function callTool(session: Session, call: ToolCall, spec: ServerSpec): Promise<CallToolResult> {
  const { tool, args, options } = call;
  const meta = withoutReserved(options.meta ?? {});
  throwIfUnsendable({ args, meta }, spec.id);
  const ends = endReasons(call, spec);
  try {
    const result = await session.client.callTool(
      { name: tool.toolName, arguments: args, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) },
      {
        // For the headers that mirror arguments over HTTP; without `outputSchema`, or the SDK would judge the result.
        toolDefinition: { name: tool.toolName, inputSchema: tool.inputSchema } as SdkTool,
        allowInputRequired: true,
        signal: ends.signal,
        timeout: Math.min(spec.timeoutMs, spec.maxTimeoutMs),
        resetTimeoutOnProgress: true,
        // Always asked for, since it is what keeps a long call alive.
        onprogress: (progress) => options.onProgress?.(progress as Progress),
      },
    );
    return toCallToolResult(rawResult(result), spec.id);
  } catch (error) {
    throw ends.reason() ?? error;
  } finally {
    ends.dispose();
  }
}

/** What the transports would stumble over while they write it, when nobody can tell any more whether it was sent. */
function throwIfUnsendable(sent: { args: JsonObject; meta: JsonObject }, serverId: string): void {
  const refuse = (what: string, cause?: unknown) =>
    fault('invalid_arguments', `The arguments ${what}. Server "${serverId}" was not called.`, {
      serverId,
      mayHaveRun: false,
      ...(cause === undefined ? {} : { cause }),
    });
  // The object of both is one level more.
  if (isNestedDeeper(sent, nestingMaxLevels + 1)) {
    throw refuse(`are nested too deep to be sent: more than ${nestingMaxLevels} levels`);
  }
  try {
    JSON.stringify(sent);
  } catch (error) {
    throw refuse(`cannot be written as JSON: ${messageOf(error)}`, error);
  }
}

/** The three ways in which our side ends a call, as one signal and the error that each stands for. */
function endReasons({ options, closing }: ToolCall, spec: ServerSpec) {
  const controller = new AbortController();
  let reason: Error | undefined;
  const end = (error: Error) => {
    reason ??= error;
    controller.abort(error.message);
  };
  const onCancel = () => end(cancelled(spec.id, true));
  const onClose = () => end(closed(spec.id, true));
  const onMaximum = () =>
    end(
      fault(
        'upstream_timeout_unknown_outcome',
        `The call to server "${spec.id}" took longer than ${spec.maxTimeoutMs} ms ("maxTimeoutMs") and was cancelled. It may have run all the same.`,
        { serverId: spec.id, mayHaveRun: true },
      ),
    );
  const timer = setTimeout(onMaximum, spec.maxTimeoutMs);
  options.signal?.addEventListener('abort', onCancel, { once: true });
  closing.addEventListener('abort', onClose, { once: true });
  if (options.signal?.aborted) onCancel();
  if (closing.aborted) onClose();
  return {
    signal: controller.signal,
    reason: () => reason,
    dispose: () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onCancel);
      closing.removeEventListener('abort', onClose);
    },
  };
}

/** The caller withdrew the call. */
export function cancelled(serverId: string, mayHaveRun: boolean): Error {
  const ran = mayHaveRun ? 'It may have run all the same.' : 'It did not run.';
  return fault('cancelled', `The call to server "${serverId}" was cancelled. ${ran}`, { serverId, mayHaveRun });
}

/** toolcrib was closed under the call. */
export function closed(serverId: string, mayHaveRun: boolean): Error {
  const ran = mayHaveRun ? 'It may have run all the same.' : 'It did not run.';
  return fault('closed', `toolcrib was closed during the call to server "${serverId}". ${ran}`, {
    serverId,
    mayHaveRun,
  });
}
