import type { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { type ErrorCode, isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import { isJsonObject, type JsonObject, type ServerSpec } from '../model/index.ts';
import { AnswerTooLargeError } from './bounded-fetch.ts';
import {
  httpStatusOf,
  isInsufficientScopeError,
  isProtocolError,
  isSdkError,
  isSdkHttpError,
  isUnauthorizedError,
  sdk,
} from './sdk.ts';
import { streamEnded } from './tap-transport.ts';
import { oneLine, withoutStack } from './text.ts';

/** Longest message of a server that is passed on: enough for an explanation, too little to flood a context. */
const serverMessageMaxLength = 2_000;

/** MCP 2026-07-28: the server would have to ask for something that the caller did not say it can do. */
const missingCapability = -32_021;

/** The request certainly did not reach a tool: it may be sent again without doing anything twice. */
export class NotExecutedError extends Error {
  override readonly name = 'NotExecutedError';
}

/** What is known about the place where something failed. */
export interface FaultContext {
  serverId: string;
  /** True for a process of ours, false for a server over HTTP. */
  isLocal: boolean;
  phase: 'connect' | 'list' | 'call';
  /** Why the connection ended, where that is known; for people. */
  exitReport?: string | undefined;
  /** Why the server refused a request for want of a login, where that is known. */
  loginProblem?: ToolcribError | undefined;
  /** Takes secrets out of text that came from the server or the system. */
  hideSecrets: (text: string) => string;
}

/**
 * Any failure as a `ToolcribError`, told apart by type and code. `details` holds `server`, `mayHaveRun` and, for
 * people only, `reason`: it may name commands, files and what a server printed, which the message never does.
 */
export function toFault(error: unknown, context: FaultContext): ToolcribError {
  if (isToolcribError(error)) return error;
  if (error instanceof NotExecutedError) return unavailable(error, context, 'could not be reached');
  const status = httpStatusOf(error);
  if (status !== undefined) return httpFault(error, status, context);
  if (error instanceof AnswerTooLargeError) return tooLarge(error, context);
  if (isInsufficientScopeError(error)) return context.loginProblem ?? unavailable(error, context, 'refuses access');
  if (isUnauthorizedError(error)) return unavailable(error, context, 'asks for authorization');
  if (isProtocolError(error)) return protocolFault(error, context);
  if (isSdkError(error)) return sdkFault(error, context);
  if (context.phase === 'call') return isConnectionLoss(error) ? lost(error, context) : failedInside(error, context);
  return unavailable(error, context, startProblem(error, context));
}

/** The error for people: the message with the reason that is kept from models. */
export function peopleMessage(error: unknown): string {
  const reason = isToolcribError(error) ? error.details.reason : undefined;
  return typeof reason === 'string' ? `${messageOf(error)} ${reason}` : messageOf(error);
}

export interface FaultFacts {
  serverId: string;
  mayHaveRun: boolean;
  /** For people only. */
  reason?: string;
  /** When the server is tried again, in milliseconds since the epoch. */
  retryAt?: number;
  cause?: unknown;
}

/** An error of one server. */
export function fault(
  code: ErrorCode,
  message: string,
  { serverId, mayHaveRun, reason, retryAt, cause }: FaultFacts,
): ToolcribError {
  const details = {
    server: serverId,
    mayHaveRun,
    ...(reason === undefined ? {} : { reason }),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  return new ToolcribError(code, message, { details, ...(cause === undefined ? {} : { cause }) });
}

/** True when the server refused a request unread because it knows nothing of our session, or could not be reached. */
export function wasNotExecuted(error: unknown, hadSession: boolean): boolean {
  if (error instanceof NotExecutedError) return true;
  if (networkCode(error) !== undefined) return unreachableCodes.has(networkCode(error) ?? '');
  if (!hadSession) return false;
  if (isSdkHttpError(error)) return error.status === 404 || (error.status === 400 && namesSession(error.data.text));
  // Some servers answer 200 with an error of their own making instead of the 404 that the specification demands.
  return isProtocolError(error) && error.code >= -32_099 && error.code <= -32_000 && namesSession(error.message);
}

/** Codes of the system and of `fetch` that mean: no connection was made. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function namesSession(text: unknown): boolean {
  return typeof text === 'string' && /session/i.test(text);
}

/** The code of a failed `fetch`, which lies in its cause. */
function networkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
  }
  return undefined;
}

/** `fetch` fails with a `TypeError` whose cause is the system's error, also when a body breaks off. */
function isConnectionLoss(error: unknown): boolean {
  if (networkCode(error) !== undefined) return true;
  return error instanceof TypeError && /^(fetch failed|terminated|network error)$/i.test(error.message);
}

/**
 * True when an HTTP connection broke, as it also does when the server closes one that was kept open at the very moment at
 * which it is used again. What does nothing twice is asked again then.
 */
export function wasBrokenOff(error: unknown, { transport }: Pick<ServerSpec, 'transport'>): boolean {
  return transport.kind === 'http' && isConnectionLoss(error);
}

/** Neither the server nor the connection failed, as far as we know: whether the call was sent is not known. */
function failedInside(error: unknown, context: FaultContext): ToolcribError {
  // What the SDK throws for a body that is no JSON or no message.
  if (error instanceof Error && /^(SyntaxError|\$?ZodError)$/.test(error.name)) return answeredBadly(error, context);
  const { serverId, hideSecrets } = context;
  const said = oneLine(hideSecrets(messageOf(error)), serverMessageMaxLength);
  return fault('upstream_error', `The call to server "${serverId}" failed: ${said} The call may have run.`, {
    serverId,
    mayHaveRun: true,
    cause: error,
    reason: reasonOf(error, context),
  });
}

function sdkFault(error: SdkError, context: FaultContext): ToolcribError {
  const { SdkErrorCode } = sdk();
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return timedOut(error, context);
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return context.phase === 'call'
        ? lost(error, context)
        : unavailable(error, context, 'ended while it was starting');
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return answeredBadly(error, context);
    default:
      return context.phase === 'call'
        ? lost(error, context)
        : unavailable(error, context, startProblem(error, context));
  }
}

function timedOut(error: unknown, { serverId, phase, exitReport }: FaultContext): ToolcribError {
  const reason = exitReport === undefined ? {} : { reason: `(${exitReport})` };
  if (phase !== 'call') {
    const what = phase === 'list' ? 'did not list its tools' : 'did not start up';
    return fault('upstream_timeout', `Server "${serverId}" ${what} in time.`, {
      serverId,
      mayHaveRun: false,
      cause: error,
      ...reason,
    });
  }
  return fault(
    'upstream_timeout_unknown_outcome',
    `Server "${serverId}" did not answer the call in time. The call may have run all the same.`,
    { serverId, mayHaveRun: true, cause: error, ...reason },
  );
}

function lost(error: unknown, context: FaultContext): ToolcribError {
  return fault(
    'upstream_lost',
    `The connection to server "${context.serverId}" ended during the call, before a result came. The call may have run.`,
    { serverId: context.serverId, mayHaveRun: true, cause: error, reason: reasonOf(error, context) },
  );
}

function unavailable(error: unknown, context: FaultContext, what: string): ToolcribError {
  const { serverId, phase } = context;
  const notRun = phase === 'call' ? ' The call did not run.' : '';
  return fault('upstream_unavailable', `Server "${serverId}" ${what}.${notRun}`, {
    serverId,
    mayHaveRun: false,
    cause: error,
    reason: reasonOf(error, context),
  });
}

function answeredBadly(error: unknown, context: FaultContext): ToolcribError {
  const { serverId, phase } = context;
  const ran = phase === 'call' ? ' The call may have run.' : '';
  return fault('upstream_error', `Server "${serverId}" gave an answer that is not valid MCP.${ran}`, {
    serverId,
    mayHaveRun: phase === 'call',
    cause: error,
    reason: reasonOf(error, context),
  });
}

function tooLarge(error: AnswerTooLargeError, { serverId, phase }: FaultContext): ToolcribError {
  const isCall = phase === 'call';
  const ran = isCall ? ' The call ran.' : '';
  return fault(
    isCall ? 'result_too_large' : 'upstream_error',
    `Server "${serverId}" sent a message of more than ${error.maxBytes} bytes, which is too large to be read.${ran}`,
    { serverId, mayHaveRun: isCall, cause: error },
  );
}

function protocolFault(error: ProtocolError, context: FaultContext): ToolcribError {
  if (error.data === streamEnded) {
    return context.phase === 'call' ? lost(error, context) : unavailable(error, context, 'broke off its answer');
  }
  if (error.data instanceof AnswerTooLargeError) return tooLarge(error.data, context);
  const { serverId, hideSecrets } = context;
  const said = oneLine(hideSecrets(withoutStack(error.message)), serverMessageMaxLength);
  const code = error.code === missingCapability ? 'input_unavailable' : 'upstream_error';
  return new ToolcribError(code, `Server "${serverId}" answered with error ${error.code}: ${said}`, {
    details: {
      server: serverId,
      mayHaveRun: context.phase === 'call' && !refusalCodes.has(error.code),
      rpcCode: error.code,
      ...requiredCapabilities(error),
    },
    cause: error,
  });
}

function requiredCapabilities({ code, data }: ProtocolError): { requiredCapabilities?: JsonObject } {
  const required = code === missingCapability && isJsonObject(data) ? data.requiredCapabilities : undefined;
  return isJsonObject(required) ? { requiredCapabilities: required } : {};
}

/** Codes of MCP 2026-07-28 by which a request is refused before any tool sees it: headers, capabilities, version. */
const refusalCodes: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

function httpFault(error: unknown, status: number, context: FaultContext): ToolcribError {
  if (status === 401 || status === 403) {
    if (context.loginProblem !== undefined) return context.loginProblem;
    return unavailable(error, context, `refuses access (HTTP ${status}): check the configured headers`);
  }
  // A server may fail after it did the work; what it rejects as a bad request it did not do.
  const mayHaveRun = context.phase === 'call' && status >= 500;
  if (!mayHaveRun) return unavailable(error, context, `answered with HTTP ${status}`);
  return fault('upstream_error', `Server "${context.serverId}" answered with HTTP ${status}. The call may have run.`, {
    serverId: context.serverId,
    mayHaveRun,
    cause: error,
    reason: reasonOf(error, context),
  });
}

/** What people are told besides: the system's words, how the process ended, what it printed. */
function reasonOf(error: unknown, { exitReport, hideSecrets }: FaultContext): string {
  const deepest = rootCause(error);
  const parts = [deepest === undefined ? undefined : messageOf(deepest), exitReport].filter(Boolean);
  return oneLine(hideSecrets(`(${parts.join('; ')})`), serverMessageMaxLength);
}

function rootCause(error: unknown): unknown {
  let at = error;
  for (let depth = 0; at instanceof Error && at.cause !== undefined && depth < 5; depth += 1) at = at.cause;
  return at;
}

function startProblem(error: unknown, { isLocal }: FaultContext): string {
  if (!isLocal) return 'could not be reached';
  switch (networkCode(error)) {
    case 'ENOENT':
      return 'could not be started: its command or folder does not exist';
    case 'EACCES':
      return 'could not be started: its command may not be run';
    default:
      return 'could not be started';
  }
}
