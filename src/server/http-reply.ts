import type { ServerResponse } from 'node:http';

/** Code for refusals that the specification gives no code of its own: -32000…-32019 carry no agreed meaning. */
const refusedCode = -32_000;

/** Answers with a JSON-RPC error that belongs to no request. Does nothing once an answer has begun. */
export function answerError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = refusedCode, headers = {} }: { code?: number; headers?: Record<string, string> } = {},
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
