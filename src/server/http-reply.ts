import type { ServerResponse } from 'node:http';
import type { JsonValue } from '../model/index.ts';

/** Code for refusals that the specification gives no code of its own: -32000…-32019 carry no agreed meaning. */
const refusedCode = -32_000;

export interface ErrorAnswer {
  code?: number;
  headers?: Record<string, string>;
  /** Of the request that is answered; default none. */
  id?: JsonValue;
}

/** Answers with a JSON-RPC error. Does nothing once an answer has begun. */
export function answerError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = refusedCode, headers = {}, id = null }: ErrorAnswer = {},
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}
