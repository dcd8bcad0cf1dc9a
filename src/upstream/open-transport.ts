import { type HttpTransport, isJsonObject, type ServerSpec } from '../model/index.ts';
import { AnswerTooLargeError, boundedFetch } from './bounded-fetch.ts';
import { NoticeStreams } from './notice-streams.ts';
import { sdk } from './sdk.ts';
import { openSse } from './sse-transport.ts';
import { StdioTransport } from './stdio-transport.ts';
import { StdioTapTransport, TapTransport } from './tap-transport.ts';
import type { OpenTransport, TransportDeps } from './transport.ts';

/** How long a server may take to forget our session when we leave. */
const terminateSessionMs = 1_000;

/** Makes the transport that a server's entry asks for; over HTTP the deprecated one where `sse` is true. */
export function openTransport(spec: ServerSpec, sse: boolean, deps: TransportDeps): OpenTransport {
  const { transport } = spec;
  if (transport.kind === 'http') return sse ? openSse(transport, deps) : overHttp(transport, deps);
  deps.onSpawn?.([transport.command, ...transport.args].join(' '));
  const stdio = new StdioTransport({
    command: transport.command,
    args: transport.args,
    env: { ...deps.baseEnv, ...transport.env },
    ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
    messageMaxBytes: deps.messageMaxBytes,
    onAnswerTooLarge: (id) => {
      const error = new AnswerTooLargeError(deps.messageMaxBytes);
      tap.fail(id, error.message, error);
    },
    watchdog: deps.watchdog,
    logger: deps.logger,
  });
  const tap = new StdioTapTransport(stdio);
  return {
    tap,
    exitReport: () => stdio.exitReport,
    exitedCleanly: () => stdio.exitedCleanly,
    hasSession: () => false,
    hearsNotices: () => true,
    close: () => stdio.close(),
  };
}

function overHttp({ url, headers }: HttpTransport, { messageMaxBytes, auth }: TransportDeps): OpenTransport {
  const bounded = boundedFetch({
    messageMaxBytes,
    onEventTooLarge: (error, requestBody) => {
      const id = requestIdIn(requestBody);
      if (id !== undefined) tap.fail(id, error.message, error);
      // A stream that belongs to no request would be opened again and again.
      else void http.close();
    },
  });
  const notices = new NoticeStreams();
  const fetch = notices.wrap(auth?.wrap(bounded) ?? bounded);
  const http = new (sdk().StreamableHTTPClientTransport)(new URL(url), { requestInit: { headers }, fetch });
  // The SDK declares `sessionId` as possibly undefined where its own interface has it optional.
  const tap = new TapTransport(http as ConstructorParameters<typeof TapTransport>[0]);
  return {
    tap,
    exitReport: () => undefined,
    exitedCleanly: () => true,
    hasSession: () => http.sessionId !== undefined,
    hearsNotices: () => notices.isOpen,
    close: async () => {
      // MCP "Session Management": a client that leaves should end its session.
      if (http.sessionId !== undefined) await Promise.race([http.terminateSession().catch(() => {}), late()]);
      await http.close();
    },
  };
}

function requestIdIn(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  return isJsonObject(message) ? message.id : undefined;
}

function late(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, terminateSessionMs).unref());
}
