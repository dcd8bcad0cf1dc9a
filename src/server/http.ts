import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../errors/index.ts';
import type { CallerCheck, Logger, Router } from '../model/index.ts';
import { CallerGate } from './caller-gate.ts';
import type { FaceOptions } from './face.ts';
import { endpointPath, HttpEndpoint } from './http-endpoint.ts';
import { createGuard, type GuardOptions } from './http-guards.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { answerError } from './http-reply.ts';
import { assertServable, isLoopback, listen, plainAddress } from './listen.ts';

export interface HttpOptions extends FaceOptions, Omit<GuardOptions, 'host'> {
  /** 0 takes any free port. */
  port: number;
  /** Default `127.0.0.1`. Other addresses than loopback are served only while every request needs a token. */
  host?: string;
  /** Tells whoever calls a tool out of their scope which scope they lack. Default false: the tool is unknown to them. */
  tellsScope?: boolean;
  /** Tells callers apart. Default: nobody needs a token. */
  callers?: CallerCheck;
  /** Pages for people at paths of their own, which guard themselves; left out on addresses that other machines reach. */
  page?: HttpPage;
  /** Replaces single defaults. */
  limits?: Partial<HttpLimits>;
}

export interface HttpPage {
  isPathOf(url: string): boolean;
  /** Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends its streams. */
  close(): void;
}

export interface HttpServing {
  /** Where hosts connect: `http://127.0.0.1:4321/mcp`. */
  url: string;
  port: number;
  /** True where `page` is served as well. */
  hasPage: boolean;
  /** Resolves when the last connection is gone after `close()`. */
  closed: Promise<void>;
  /** Takes no new requests, cancels running calls, ends all sessions and streams. Calling it twice is harmless. */
  close(): Promise<void>;
}

/**
 * Serves any number of hosts over Streamable HTTP, all protocol revisions at one address. Throws `address_refused` for an
 * address that is not loopback where callers need no token, `address_unusable`, `port_in_use`.
 */
export async function serveHttp(router: Router, options: HttpOptions): Promise<HttpServing> {
  const host = plainAddress(options.host ?? '127.0.0.1');
  const { callers, logger } = options;
  assertServable(host, callers?.isRequired() ?? false);
  const face = { ...options, router, ...(callers === undefined ? {} : { hasCallers: () => callers.tellsApart() }) };
  const endpoint = new HttpEndpoint(face, { ...defaultHttpLimits, ...options.limits }, options.tellsScope);
  const isAddressedHere = createGuard({ ...options, host });
  const gate = callers && new CallerGate({ check: callers, onWatch: () => endpoint.endRevoked(callers), logger });
  const page = isLoopback(host) ? options.page : undefined;
  const openResponses = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    if (page?.isPathOf(request.url ?? '/')) void page.handle(request, response);
    else if (isAddressedHere(request, response)) handle({ endpoint, gate, logger }, request, response);
  });
  const port = await listen(server, options.port, host).catch((error: unknown) => {
    gate?.close();
    throw error;
  });
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const stopListening = router.onListChanged(() => endpoint.notifyListChanged());
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(host, port),
    port,
    hasPage: page !== undefined,
    closed,
    close: () => {
      stopListening();
      gate?.close();
      page?.close();
      closing ??= shutDown(server, endpoint, openResponses).then(() => closed);
      return closing;
    },
  };
}

interface Handling {
  endpoint: HttpEndpoint;
  gate: CallerGate | undefined;
  logger: Logger;
}

function handle({ endpoint, gate, logger }: Handling, request: IncomingMessage, response: ServerResponse): void {
  const admitted = gate === undefined ? Promise.resolve(true) : gate.admit(request, response);
  admitted
    .then((isAdmitted) => (isAdmitted ? endpoint.handle(request, response) : undefined))
    .catch((error: unknown) => {
      if (response.destroyed) return logger.debug('an HTTP caller went away', { error: messageOf(error) });
      logger.error('HTTP request failed inside toolcrib', { error: messageOf(error) });
      answerError(response, 500, 'Internal error');
    });
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${endpointPath}`;
}

/** Answers that are being written when the process is asked to end get this long to leave. */
const closeGraceMs = 1_000;

async function shutDown(server: Server, endpoint: HttpEndpoint, openResponses: Set<ServerResponse>): Promise<void> {
  server.close();
  await endpoint.close();
  const written = Promise.all([...openResponses].map((response) => once(response, 'close')));
  await Promise.race([written, delay(closeGraceMs, undefined, { ref: false })]);
  // What is left is idle, also connections on which no request ever came, which Node does not count as idle.
  server.closeAllConnections();
}
