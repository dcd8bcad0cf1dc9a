import type { Client, SdkHttpError, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../errors/index.ts';
import {
  type ElicitationAnswer,
  type EraVerdict,
  isJsonObject,
  type JsonObject,
  type Logger,
  type ServerSpec,
  steadyNow,
} from '../model/index.ts';
import { wasBrokenOff } from './faults.ts';
import { noOutputValidation } from './no-output-validation.ts';
import { openTransport } from './open-transport.ts';
import { elicitationCapability } from './questions.ts';
import { httpStatusOf, isProtocolError, isSdkError, isSdkHttpError, loadSdk, sdk } from './sdk.ts';
import type { OpenTransport, TransportDeps } from './transport.ts';

/**
 * A server that is silent when asked for its revision is taken as an old one after this share of the time it may take
 * to start: late enough for a slow start, early enough to leave the old handshake the larger part.
 */
const probeShare = 1 / 3;
/** A server may have learnt the new revision since it was found to speak an old one: ask again after a week. */
const legacyVerdictMaxAgeMs = 7 * 24 * 3_600_000;

export interface ClientInfo {
  name: string;
  version: string;
}

export interface SessionDeps extends TransportDeps {
  clientInfo: ClientInfo;
  logger: Logger;
  /** Answers an `elicitation/create` with these params, as they came; rejects with what the server is told instead. */
  onElicitation(params: unknown, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** `notifications/elicitation/complete` (MCP 2025-11-25). */
  onElicitationComplete(elicitationId: string): void;
}

/** One live connection to one server; never reopened. */
export interface Session {
  readonly client: Client;
  /** What was found out about the server's protocol; `decidedAt` is old when an earlier verdict was used. */
  readonly era: EraVerdict;
  readonly capabilities: JsonObject;
  /** True over HTTP when the server gave us a session that it can forget. */
  readonly hasSessionId: () => boolean;
  readonly hasEnded: () => boolean;
  /** How the process ended, for people. */
  readonly exitReport: () => string | undefined;
  readonly exitedCleanly: () => boolean;
  /** False while no notice could reach us that belongs to no request; for the older revisions. */
  readonly hearsNotices: () => boolean;
  /** How many messages came from the server so far. */
  readonly messagesReceived: () => number;
  /** Called once when the connection has ended, by either side; at once if it has already. */
  onEnd(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Starts or reaches a server and settles which revision it speaks, all within `connectTimeoutMs`. Rejects with errors
 * of the SDK or the system; `toFault` explains them.
 *
 * A server known to be of an old revision, or of the deprecated HTTP+SSE transport, is not asked again for a week. A known
 * modern one is always asked: that is one message, which also renews what is known of its capabilities and shows at once
 * when it was replaced.
 */
export async function openSession(
  spec: ServerSpec,
  known: EraVerdict | undefined,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<Session> {
  await loadSdk();
  const deadline = steadyNow() + spec.connectTimeoutMs;
  const failures: { way: Way; error: unknown }[] = [];
  for (let way: Way | undefined = firstWay(spec, known); way !== undefined; ) {
    try {
      return await openOnce(spec, { way, known, deadline, signal }, deps);
    } catch (error) {
      failures.push({ way, error });
      way = signal.aborted || steadyNow() >= deadline ? undefined : nextWay(spec, failures);
      if (way !== undefined) deps.logger.debug('Trying another way.', { way, reason: messageOf(error) });
    }
  }
  throw tellingFailure(failures);
}

/** `auto`: as the SDK negotiates. `legacy`: with `initialize` at once. `sse`: the same, over HTTP+SSE. */
type Way = 'auto' | 'legacy' | 'sse';

interface Attempt {
  way: Way;
  known: EraVerdict | undefined;
  deadline: number;
  signal: AbortSignal;
}

async function openOnce(spec: ServerSpec, attempt: Attempt, deps: SessionDeps): Promise<Session> {
  const remainingMs = Math.max(1, attempt.deadline - steadyNow());
  const mustAnswer = spec.transport.kind === 'http' || attempt.known?.era === 'modern';
  const client = new (sdk().Client)(deps.clientInfo, {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: mustAnswer ? remainingMs : remainingMs * probeShare } },
    // What is not declared, a server may not ask for: no roots, sampling or tasks. Older revisions settle it here, before
    // anyone has called; later ones are told with each call what its caller can do.
    capabilities: elicitationCapability({ form: true, url: true }),
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: noOutputValidation,
  });
  listenForQuestions(client, deps);
  const opened = openTransport(spec, attempt.way === 'sse', deps);
  const end = trackEnd(client, opened.tap);
  client.onerror = (error) => deps.logger.debug('Connection notice.', { message: messageOf(error) });
  try {
    const prior = attempt.way !== 'auto' ? { prior: { kind: 'legacy' as const } } : {};
    await within(attempt, client.connect(opened.tap, { ...prior, timeout: remainingMs }), end.ended);
  } catch (error) {
    await opened.close();
    throw withExit(error, opened);
  }
  return {
    client,
    era: verdictOf(client, attempt),
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    hasSessionId: opened.hasSession,
    hasEnded: end.hasEnded,
    exitReport: opened.exitReport,
    exitedCleanly: opened.exitedCleanly,
    hearsNotices: opened.hearsNotices,
    messagesReceived: () => opened.tap.messagesReceived,
    onEnd: (listener) => void end.ended.then(listener),
    close: async () => {
      await opened.close();
      await client.close();
    },
  };
}

/** Below the SDK's own handlers, which know the schema of a form by a list of keywords and drop what is not on it. */
function listenForQuestions(client: Client, deps: SessionDeps): void {
  const { ProtocolError, ProtocolErrorCode } = sdk();
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method !== 'elicitation/create') throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    return { ...(await deps.onElicitation(params, mcpReq.signal)) };
  };
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    deps.onElicitationComplete(params.elicitationId),
  );
}

/** The SDK reports the end of a connection twice, or never when it came while the era was negotiated. */
function trackEnd(client: Client, transport: Transport): { ended: Promise<void>; hasEnded: () => boolean } {
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    // Set before connecting, so that the SDK chains it.
    transport.onclose = end;
    client.onclose = end;
  });
  return { ended, hasEnded: () => hasEnded };
}

/** Connecting ends at the deadline, when we are closed, or when the connection breaks, whichever is first. */
async function within(attempt: Attempt, connecting: Promise<void>, ended: Promise<void>): Promise<void> {
  connecting.catch(() => {});
  const { SdkError, SdkErrorCode } = sdk();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new SdkError(SdkErrorCode.RequestTimeout, 'The server did not start in time.'));
    timer = setTimeout(late, Math.max(1, attempt.deadline - steadyNow()));
  });
  const closed = () => new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(closed());
    attempt.signal.addEventListener('abort', onAbort, { once: true });
    if (attempt.signal.aborted) onAbort();
  });
  // The SDK's own error says more, so it gets a turn of the event loop to arrive.
  const broke = ended.then(() => new Promise((resolve) => setImmediate(resolve))).then(() => Promise.reject(closed()));
  try {
    await Promise.race([connecting, timeout, aborted, broke]);
  } finally {
    clearTimeout(timer);
    attempt.signal.removeEventListener('abort', onAbort);
  }
}

/** Keeps how the process ended with the error, which outlives the transport. */
function withExit(error: unknown, opened: OpenTransport): unknown {
  const report = opened.exitReport();
  if (report === undefined || !isSdkError(error)) return error;
  return new (sdk().SdkError)(error.code, error.message, undefined, { cause: new Error(report) });
}

function firstWay({ transport }: ServerSpec, known: EraVerdict | undefined): Way {
  if (transport.kind === 'http' && transport.sse) return 'sse';
  // A verdict of the future was made before the clock was set back.
  const isFresh = known !== undefined && Math.abs(Date.now() - known.decidedAt) < legacyVerdictMaxAgeMs;
  return isFresh ? wayOf(known) : 'auto';
}

function wayOf({ era, transport }: EraVerdict): Way {
  if (era === 'modern') return 'auto';
  return transport === 'sse' ? 'sse' : 'legacy';
}

/**
 * What may do better after these failures: some servers end when they meet a message before `initialize`; one that was
 * old may have been replaced by one that knows no `initialize` any more; one that takes no POST at its address may speak
 * HTTP+SSE (MCP "Transports", backwards compatibility).
 */
function nextWay(spec: ServerSpec, failures: readonly { way: Way; error: unknown }[]): Way | undefined {
  const { transport } = spec;
  const { way, error } = failures.at(-1) ?? { way: 'auto', error: undefined };
  if (wasBrokenOff(error, spec)) return failures.length === 1 ? way : undefined;
  const untried = (next: Way) => (failures.some((failure) => failure.way === next) ? undefined : next);
  if (way === 'sse') {
    const isOnlyWay = transport.kind === 'http' && transport.sse;
    return isOnlyWay || isRefused(error) ? undefined : untried('auto');
  }
  const takesNoPost = transport.kind === 'http' && isUnknownPlace(error);
  if (way === 'legacy') {
    const other = isProtocolError(error) || isBadRequest(error) ? untried('auto') : undefined;
    return other ?? (takesNoPost ? untried('sse') : undefined);
  }
  if (takesNoPost) return untried('sse');
  const hasClosed = isSdkError(error) && error.code === sdk().SdkErrorCode.EraNegotiationFailed;
  return hasClosed && /closed/.test(error.message) ? untried('legacy') : undefined;
}

/** True for an answer that no MCP server of the Streamable HTTP transport gives: it explains itself in JSON-RPC. */
function isUnknownPlace(error: unknown): boolean {
  if (!isBadRequest(error)) return false;
  try {
    const body: unknown = JSON.parse(String(error.data.text));
    return !(isJsonObject(body) && body.jsonrpc === '2.0');
  } catch {
    return true;
  }
}

function isBadRequest(error: unknown): error is SdkHttpError {
  return isSdkHttpError(error) && [400, 404, 405].includes(error.status);
}

function isRefused(error: unknown): boolean {
  return [401, 403].includes(httpStatusOf(error) ?? 0);
}

/** That there is no stream either says less than what was wrong before; that there is one behind a login says more. */
function tellingFailure(failures: readonly { way: Way; error: unknown }[]): unknown {
  const last = failures.at(-1);
  if (last?.way !== 'sse' || isRefused(last.error)) return last?.error;
  return (failures.at(-2) ?? last).error;
}

function verdictOf(client: Client, attempt: Attempt): EraVerdict {
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? '';
  if (client.getProtocolEra() === 'modern') {
    const discover = client.getDiscoverResult() as JsonObject | undefined;
    return { era: 'modern', protocolVersion, decidedAt: Date.now(), ...(discover === undefined ? {} : { discover }) };
  }
  const isKnown = attempt.known !== undefined && wayOf(attempt.known) === attempt.way;
  const decidedAt = isKnown && attempt.known !== undefined ? attempt.known.decidedAt : Date.now();
  return { era: 'legacy', protocolVersion, decidedAt, ...(attempt.way === 'sse' ? { transport: 'sse' } : {}) };
}
