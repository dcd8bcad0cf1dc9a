import { ToolcribError } from '../errors/index.ts';
import {
  type CallPause,
  type ElicitationModes,
  type HostRequest,
  type InputRequest,
  isJsonObject,
  type JsonObject,
} from '../model/index.ts';
import { fault } from './faults.ts';
import { modeOf, namingAsker, questionsMax, readElicitation } from './questions.ts';

/** Characters of a server's state: it travels through the host, whose requests may have 4 MiB in all. */
const requestStateMaxLength = 1024 * 1024;

export interface PauseContext {
  serverId: string;
  toolName: string;
  /** What the caller declared. */
  elicitation: ElicitationModes | undefined;
  hostCapabilities?: JsonObject | undefined;
}

/**
 * An `InputRequiredResult` (MCP 2026-07-28, "Multi Round-Trip Requests") as the server sent it. Throws
 * `input_unavailable` for what the caller cannot be asked, `upstream_error` for what is malformed.
 */
export function toCallPause(raw: JsonObject, context: PauseContext): CallPause {
  const { inputRequests, requestState } = raw;
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw malformed(context, 'asked for input with a state that is no text');
  }
  if (requestState !== undefined && requestState.length > requestStateMaxLength) {
    throw malformed(context, `asked for input with a state of more than ${requestStateMaxLength} characters`);
  }
  const requests = inputRequests ?? {};
  if (!isJsonObject(requests)) throw malformed(context, 'asked for input without saying what');
  const entries = Object.entries(requests);
  if (entries.length === 0 && requestState === undefined) throw malformed(context, 'asked for nothing');
  if (entries.length > questionsMax) {
    throw malformed(context, `asked ${entries.length} things at once; at most ${questionsMax} are passed on`);
  }
  const questions: [string, InputRequest][] = [];
  const hostRequests: [string, HostRequest][] = [];
  for (const [key, request] of entries) {
    if (!isJsonObject(request) || typeof request.method !== 'string') {
      throw malformed(context, 'asked for input without saying what');
    }
    if (request.method === 'elicitation/create') questions.push([key, toInputRequest(request, context)]);
    else hostRequests.push([key, toHostRequest(request, context)]);
  }
  return {
    inputRequests: Object.fromEntries(questions),
    ...(hostRequests.length === 0 ? {} : { hostRequests: Object.fromEntries(hostRequests) }),
    resume: { kind: 'server', ...(requestState === undefined ? {} : { requestState }) },
  };
}

function toInputRequest(request: JsonObject, context: PauseContext): InputRequest {
  const { serverId, toolName, elicitation } = context;
  const params = readElicitation(request.params);
  if (typeof params === 'string') throw malformed(context, params);
  const mode = modeOf(params);
  if (elicitation?.[mode] !== true) {
    const how = mode === 'url' ? 'open a URL' : 'fill in a form';
    const what = `the user to ${how}, which the caller cannot show. The question: ${params.message}`;
    throw unavailable(context, what, { elicitation: { [mode]: {} } });
  }
  return { method: 'elicitation/create', params: namingAsker(params, serverId, toolName) };
}

/** By the capability with which a host says that it answers. */
const hostMethods = { sampling: 'sampling/createMessage', roots: 'roots/list' } as const;

function toHostRequest({ method, params }: JsonObject, context: PauseContext): HostRequest {
  const known = Object.entries(hostMethods).find(([, answered]) => answered === method);
  const what = `${JSON.stringify(method)} of the host`;
  if (known === undefined) throw unavailable(context, `${what}, which is not passed on`);
  const [capability, answered] = known;
  if (context.hostCapabilities?.[capability] === undefined) {
    throw unavailable(context, `${what}, which it did not say it can do`, { [capability]: {} });
  }
  return { method: answered, ...(isJsonObject(params) ? { params } : {}) };
}

function malformed({ serverId }: PauseContext, what: string): Error {
  const message = `Server "${serverId}" ${what}. The call may have run in part.`;
  return fault('upstream_error', message, { serverId, mayHaveRun: true });
}

function unavailable({ serverId }: PauseContext, what: string, requiredCapabilities?: JsonObject): Error {
  return new ToolcribError('input_unavailable', `Server "${serverId}" stopped the call and asked ${what}`, {
    details: { server: serverId, mayHaveRun: true, ...(requiredCapabilities && { requiredCapabilities }) },
  });
}
