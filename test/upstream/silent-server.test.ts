import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { spec, tool, upstreamOf } from './harness.ts';

const answerAfterMs = 4_000;

/** A server of the older revisions that says nothing for a while, before its answer begins or within it. */
async function silentServer(): Promise<string> {
  const server = createServer(async (http, response) => {
    let body = '';
    for await (const chunk of http) body += chunk;
    if (http.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const answer = (rest: object) => sendJson(response, { jsonrpc: '2.0', id, ...rest });
    const result = { content: [{ type: 'text', text: 'late' }] };
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      const { protocolVersion } = params;
      return answer({ result: { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } } });
    }
    if (method !== 'tools/call') return answer({ error: { code: -32601, message: 'Method not found' } });
    if (params.name === 'before') return setTimeout(() => answer({ result }), answerAfterMs);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
    setTimeout(() => response.end(event), answerAfterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

/** Has `fetch` give up after less than a second of silence instead of five minutes. */
function impatientFetch(): void {
  const key = Symbol.for('undici.globalDispatcher.1');
  void globalThis.Headers;
  const holder = globalThis as unknown as Record<symbol, { constructor: new (options: object) => object }>;
  const before = holder[key];
  if (before === undefined) throw new Error('Node keeps its dispatcher elsewhere.');
  holder[key] = new before.constructor({ headersTimeout: 500, bodyTimeout: 500 }) as typeof before;
  onTestFinished(() => {
    holder[key] = before;
  });
}

it.each(['before', 'within'])(
  'a server may be silent %s its answer for longer than fetch has patience',
  async (name) => {
    const url = await silentServer();
    impatientFetch();
    await expect(fetch(url, { method: 'POST', body: silentCall })).rejects.toThrow();
    const { upstream } = upstreamOf([spec('silent', { kind: 'http', url, headers: {} })]);
    expect(await upstream.call(tool('silent', name), {})).toMatchObject({ content: [{ text: 'late' }] });
  },
);

const silentCall = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'before' } });
