import type { IncomingMessage, ServerResponse } from 'node:http';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';

const hasLocalHost = localhostHostValidation();
const hasLocalOrigin = localhostOriginValidation();

/**
 * True when the request was meant for this machine by something on this machine. Otherwise it has been answered with
 * 403: a web page elsewhere could reach a loopback port through the user's browser (DNS rebinding).
 */
export function isAddressedHere(request: IncomingMessage, response: ServerResponse): boolean {
  return hasLocalHost(request, response) && hasLocalOrigin(request, response);
}
