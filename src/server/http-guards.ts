import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node';
import { isLoopback } from './listen.ts';

const localNames = ['localhost', '127.0.0.1', '[::1]'];

export interface GuardOptions {
  /** The address that is listened on. */
  host: string;
  /** Host names, besides this machine's own, by which the server may be reached. Default on other addresses than loopback: any. */
  allowedHosts?: readonly string[];
  /** Host names of web pages elsewhere that may use the server. */
  allowedOrigins?: readonly string[];
}

/**
 * Tells requests that were meant for this server from those that a web page elsewhere makes a user's browser send (DNS
 * rebinding): the others are answered with 403. Off loopback any Host passes unless names are given, as proxies have their
 * own, and each request needs a token, which no such page has.
 */
export function createGuard({ host, allowedHosts, allowedOrigins = [] }: GuardOptions) {
  const isAnyHost = allowedHosts === undefined && !isLoopback(host);
  const hasHost = isAnyHost ? () => true : hostHeaderValidation([...localNames, ...(allowedHosts ?? [])]);
  const hasOrigin = originValidation([...localNames, ...allowedOrigins]);
  return (request: IncomingMessage, response: ServerResponse): boolean =>
    hasHost(request, response) && hasOrigin(request, response);
}
