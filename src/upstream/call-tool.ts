import type { Tool as SdkTool } from '@modelcontextprotocol/client';
import { messageOf } from '../errors/index.ts';
import {
  type CallOutcome,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
  type Progress,
  type ServerSpec,
  type UpstreamCallOptions,
} from '../model/index.ts';
import { CallClock } from './call-clock.ts';
import { toCallPause } from './call-pause.ts';
import { toCallToolResult, withoutReserved } from './call-result.ts';
import { fault } from './faults.ts';
import { nestingMaxLevels } from './nesting.ts';
import { elicitationCapability } from './questions.ts';
import type { RunningCall } from './running-call.ts';
import { sdk } from './sdk.ts';
import type { Session } from './session.ts';
import { rawResult } from './tap-transport.ts';
import { throwIfDeclined, urlPause } from './url-required.ts';

export interface ToolCall {
  running: RunningCall;
  args: JsonObject;
  /** Of the request that started the call. */
  options: UpstreamCallOptions;
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
}

/** MCP 2026-07-28: what a client can do is said with each request. */
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
/** The SDK's own limit would not stand still while a user is asked, so it never comes first: the longest of Node's timers. */
const neverMs = 2_147_483_647;

/**
 * One `tools/call`. Progress resets the idle limit `timeoutMs`, nothing resets `maxTimeoutMs`, and both stand still while
 * a user is asked; at either, and when `running.signal` aborts, the server is told that the call is cancelled. Throws
 * `invalid_arguments` for what cannot be sent, `cancelled`, `closed`, `upstream_timeout_unknown_outcome`,
 * `upstream_error`, `input_unavailable`, or an error of the SDK, which `toFault` explains.
 */
export async function callTool(session: Session, call: ToolCall, spec: ServerSpec): Promise<CallOutcome> {
  const { running, args, options } = call;
  const { tool } = running;
  const isModern = session.era.era === 'modern';
  const meta = withoutReserved(options.meta ?? {});
  throwIfUnsendable({ args, meta, inputResponses: options.inputResponses }, spec.id);
  const { elicitation, hostCapabilities } = options;
  const context = { serverId: spec.id, toolName: tool.toolName, elicitation, hostCapabilities };
  if (!isModern && options.resume !== undefined) throwIfDeclined(options.inputResponses ?? {}, spec.id);
  const ends = endReasons(call, spec);
  try {
    const result = await session.client.callTool(
      {
        name: tool.toolName,
        arguments: args,
        ...(isModern ? continuation(options) : {}),
        ...metaParam(isModern ? { ...meta, [capabilitiesKey]: declared(options) } : meta),
      },
      {
        // For the headers that mirror arguments over HTTP; without `outputSchema`, or the SDK would judge the result.
        toolDefinition: { name: tool.toolName, inputSchema: tool.inputSchema } as SdkTool,
        allowInputRequired: true,
        signal: ends.signal,
        timeout: neverMs,
        // Always asked for, since it is what keeps a long call alive.
        onprogress: (progress) => {
          ends.clock.touch();
          running.progress(progress as Progress);
        },
      },
    );
    const raw = rawResult(result);
    return isModern && isJsonObject(raw) && raw.resultType === 'input_required'
      ? toCallPause(raw, context)
      : toCallToolResult(raw, spec.id);
  } catch (error) {
    const pause = isModern ? undefined : urlPause(error, options, context);
    if (pause !== undefined) return pause;
    throw ends.reason() ?? error;
  } finally {
    ends.dispose();
  }
}

function declared({ elicitation, hostCapabilities }: UpstreamCallOptions): JsonObject {
  return { ...hostCapabilities, ...elicitationCapability(elicitation) };
}

/** What a call that goes on takes along (MCP "Multi Round-Trip Requests"): the state byte for byte, or none. */
function continuation({ inputResponses, resume }: UpstreamCallOptions): JsonObject {
  if (resume?.kind !== 'server') return {};
  const { requestState } = resume;
  return {
    ...(inputResponses === undefined ? {} : { inputResponses: inputResponses as JsonObject }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

function metaParam(meta: JsonObject): { _meta?: JsonObject } {
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/** What the transports would stumble over while they write it, when nobody can tell any more whether it was sent. */
function throwIfUnsendable(sent: Record<string, unknown>, serverId: string): void {
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

/** The ways in which our side ends a call, as one signal and the error that each stands for. */
function endReasons({ running, closing }: ToolCall, spec: ServerSpec) {
  const controller = new AbortController();
  let reason: Error | undefined;
  const end = (error: Error) => {
    reason ??= error;
    controller.abort(error.message);
  };
  const onCancel = () => end(cancelled(spec.id, true));
  const onClose = () => end(closed(spec.id, true));
  const clock = new CallClock(spec, (limit) => end(limit === 'idle' ? silent() : tookTooLong(spec)));
  running.clock = clock;
  running.signal.addEventListener('abort', onCancel, { once: true });
  closing.addEventListener('abort', onClose, { once: true });
  if (running.signal.aborted) onCancel();
  if (closing.aborted) onClose();
  return {
    signal: controller.signal,
    clock,
    reason: () => reason,
    dispose: () => {
      clock.stop();
      running.clock = undefined;
      running.signal.removeEventListener('abort', onCancel);
      closing.removeEventListener('abort', onClose);
    },
  };
}

/** As the SDK says it; `toFault` adds what is known of the process. */
function silent(): Error {
  const { SdkError, SdkErrorCode } = sdk();
  return new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out');
}

function tookTooLong({ id: serverId, maxTimeoutMs }: ServerSpec): Error {
  return fault(
    'upstream_timeout_unknown_outcome',
    `The call to server "${serverId}" took longer than ${maxTimeoutMs} ms ("maxTimeoutMs") and was cancelled. It may have run all the same.`,
    { serverId, mayHaveRun: true },
  );
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
