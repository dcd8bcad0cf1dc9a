import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../errors/index.ts';
import type { Logger, Router } from '../model/index.ts';
import type { FaceOptions } from './face.ts';
import { endpointPath, HttpEndpoint } from './http-endpoint.ts';
import { isAddressedHere } from './http-guards.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { answerError } from './http-reply.ts';
import { assertLoopback, type LoopbackHost, listen } from './loopback.ts';

export interface HttpOptions extends FaceOptions {
  /** 0 takes any free port. */
  port: number;
  /** `127.0.0.1` (default), `localhost` or `::1`. */
  host?: string;
  /** Replaces single defaults. */
  limits?: Partial<HttpLimits>;
}

export interface HttpServing {
  /** Where hosts connect: `http://127.0.0.1:4321/mcp`. */
  url: string;
  port: number;
  /** Resolves when the last connection is gone after `close()`. */
  closed: Promise<void>;
  /** Takes no new requests, cancels running calls, ends all sessions and streams. Calling it twice is harmless. */
  close(): Promise<void>;
}

/**
 * Serves any number of hosts over Streamable HTTP on this machine, all protocol revisions at one address.
 * Throws `address_refused` for a host that is not loopback, `port_in_use`.
 */
export async function serveHttp(router: Router, options: HttpOptions): Promise<HttpServing> {
  const host = assertLoopback(options.host ?? '127.0.0.1');
  const endpoint = new HttpEndpoint({ ...options, router }, { ...defaultHttpLimits, ...options.limits });
  const openResponses = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    handle(endpoint, request, response, options.logger);
  });
  const port = await listen(server, options.port, host);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const stopListening = router.onListChanged(() => endpoint.notifyListChanged());
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(host, port),
    port,
    closed,
    close: () => {
      stopListening();
      closing ??= shutDown(server, endpoint, openResponses).then(() => closed);
      return closing;
    },
  };
}

function handle(endpoint: HttpEndpoint, request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  if (!isAddressedHere(request, response)) return;
  endpoint.handle(request, response).catch((error: unknown) => {
    if (response.destroyed) return logger.debug('an HTTP caller went away', { error: messageOf(error) });
    logger.error('HTTP request failed inside toolcrib', { error: messageOf(error) });
    answerError(response, 500, 'Internal error');
  });
}

function urlOf(host: LoopbackHost, port: number): string {
  return `http://${host === '::1' ? '[::1]' : host}:${port}${endpointPath}`;
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
