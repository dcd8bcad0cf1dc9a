import type { CallOptions, CallToolResult } from './call.ts';
import type { CallerScope } from './caller.ts';
import type { ElicitationModes, ElicitationParams } from './elicitation.ts';
import type { JsonObject } from './json.ts';

/** What a server wants to know of the user before it goes on (MCP 2026-07-28, `InputRequest`). */
export interface InputRequest {
  method: 'elicitation/create';
  params: ElicitationParams;
}

/** What it wants of the host's program. Deprecated since 2026-07-28: passed on as it is, to hosts that declare it. */
export interface HostRequest {
  method: 'sampling/createMessage' | 'roots/list';
  params?: JsonObject;
}

/** Answers by the keys of the requests, as a caller sent them: not to be trusted. */
export type InputResponses = Record<string, unknown>;

/** Where a call goes on that stopped for questions: with the server's own state, or as a call that still runs. */
export type ResumePoint =
  | {
      kind: 'server';
      /** Byte for byte what the server gave; absent when it gave none. */
      requestState?: string;
    }
  | { kind: 'parked'; handle: string };

/** What a call gives instead of a result when its server has questions. */
export interface CallPause {
  /** May be empty when the server only wants to be asked again. */
  inputRequests: Record<string, InputRequest>;
  /** Only of what the caller's `hostCapabilities` name. */
  hostRequests?: Record<string, HostRequest>;
  resume: ResumePoint;
}

/** MCP `InputRequiredResult`; it has requests, a state, or both. */
export interface InputRequired {
  resultType: 'input_required';
  inputRequests?: Record<string, InputRequest | HostRequest>;
  /** Sealed by toolcrib; absent when the server gave none. */
  requestState?: string;
}

/** What whoever speaks for a host adds to a call. */
export interface HostCallOptions extends CallOptions {
  /** What the caller may know of and call. Default: everything. */
  scope?: CallerScope;
  /** Of the host's request, for the record. */
  requestId?: string;
  /** What the host declared. Default: both with `onElicitation`, else neither. */
  elicitation?: ElicitationModes;
  /** `sampling` and `roots` as the host declared them; of use only with `takesInputRequired`. */
  hostCapabilities?: JsonObject;
  /** True for a host that takes `InputRequired` and calls again; others are asked through `onElicitation`. */
  takesInputRequired?: boolean;
  /** Of a call made again: the answers, and the state that came with the questions. */
  inputResponses?: InputResponses;
  requestState?: string;
  /** Told when what a question's URL was for is done (`notifications/elicitation/complete`, up to 2025-11-25). */
  onElicitationComplete?: (elicitationId: string) => void;
}

/** What the side of the servers needs to know of a call. */
export interface UpstreamCallOptions
  extends Pick<CallOptions, 'signal' | 'onProgress' | 'meta'>,
    Pick<HostCallOptions, 'elicitation' | 'hostCapabilities' | 'inputResponses' | 'onElicitationComplete'> {
  /** Who calls: questions of a server go to nobody else. Default `local`. */
  principal?: string;
  /** Present when the call goes on. */
  resume?: ResumePoint;
}

export type CallOutcome = CallToolResult | CallPause;
