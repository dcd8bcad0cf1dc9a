import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { passTime, spec, tool, until, upstreamOf } from './harness.ts';

interface RpcRequest {
  id?: number | string;
  method: string;
  params?: JsonObject;
}

type Handler = (request: RpcRequest, response: ServerResponse, http: IncomingMessage) => void;

/** A Streamable HTTP server of the handshake era with sessions, whose `tools/call` is up to the test. */
async function legacyHttp(
  call: Handler,
  list: Handler = (request, response) => answer(response, request, { tools: [] }),
) {
  const seen: { method: string; session: string | undefined; headers: IncomingMessage['headers'] }[] = [];
  const sessions = new Set<string>();
  const server = createServer(async (http, response) => {
    if (http.method === 'DELETE') {
      seen.push({ method: 'DELETE', session: String(http.headers['mcp-session-id']), headers: http.headers });
      return response.writeHead(204).end();
    }
    if (http.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of http) body += chunk;
    const request = JSON.parse(body) as RpcRequest;
    const session = http.headers['mcp-session-id'] as string | undefined;
    seen.push({ method: request.method, session, headers: http.headers });
    if (request.method === 'server/discover') return response.writeHead(400).end('what?');
    if (request.method === 'initialize') {
      const id = `session-${sessions.size + 1}`;
      sessions.add(id);
      response.setHeader('mcp-session-id', id);
      return answer(response, request, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      });
    }
    if (session === undefined || !sessions.has(session)) return response.writeHead(404).end('Session not found');
    if (request.id === undefined) return response.writeHead(202).end();
    return request.method === 'tools/list' ? list(request, response, http) : call(request, response, http);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?key=secret-in-url`;
  return { url, seen, sessions, count: (method: string) => seen.filter((one) => one.method === method).length };
}

function answer(response: ServerResponse, { id }: RpcRequest, result: JsonObject): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

const ok: Handler = (request, response) => answer(response, request, { content: [{ type: 'text', text: 'ok' }] });

describe('Streamable HTTP of the handshake era', () => {
  it('sends the configured headers and the session, and ends the session at close', async () => {
    const server = await legacyHttp(ok);
    const headers = { Authorization: 'Bearer abc' };
    const { upstream, catalog } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers })]);
    await expect(upstream.call(tool('http', 'x'), {})).resolves.toHaveProperty('content');
    expect(catalog.row('http').era).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' });
    const call = server.seen.find(({ method }) => method === 'tools/call');
    expect(call).toMatchObject({ session: 'session-1', headers: { authorization: 'Bearer abc' } });
    await upstream.close();
    expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', session: 'session-1' });
  });

  it('makes a new session and calls again when the old one was forgotten', async () => {
    let executed = 0;
    const server = await legacyHttp((request, response, http) => {
      executed += 1;
      ok(request, response, http);
    });
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    await upstream.call(tool('http', 'x'), {});
    server.sessions.clear();
    server.sessions.add('someone-else');
    await expect(upstream.call(tool('http', 'x'), {})).resolves.toHaveProperty('content');
    expect(server.count('initialize')).toBe(2);
    expect(executed).toBe(2);
  });

  it('does so for a list as well', async () => {
    const server = await legacyHttp(ok);
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    await upstream.sync();
    server.sessions.clear();
    server.sessions.add('someone-else');
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
    expect(server.count('initialize')).toBe(2);
  });

  it('does so once, not for ever', async () => {
    const server = await legacyHttp((_, response) => response.writeHead(404).end('Session not found'));
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    await expect(upstream.call(tool('http', 'x'), {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      details: { mayHaveRun: false },
    });
    expect(server.count('tools/call')).toBe(2);
  });

  it('does not call on a session that the list before the call found forgotten', async () => {
    const forgotten: Handler = (_, response) => response.writeHead(404).end('Session not found');
    const server = await legacyHttp(forgotten, forgotten);
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    await expect(upstream.call(tool('http', 'x'), {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      details: { mayHaveRun: false },
    });
  });

  const failures: { name: string; call: Handler; code: string; mayHaveRun: boolean }[] = [
    {
      name: 'a response that breaks off',
      call: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n');
        setTimeout(() => response.destroy(), 50);
      },
      code: 'upstream_lost',
      mayHaveRun: true,
    },
    {
      name: 'a response that ends without an answer',
      call: (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n'),
      code: 'upstream_lost',
      mayHaveRun: true,
    },
    {
      name: 'a connection that is cut before the response',
      call: (_, response) => void response.destroy(),
      code: 'upstream_lost',
      mayHaveRun: true,
    },
    {
      name: 'a body that is no JSON',
      call: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
      code: 'upstream_error',
      mayHaveRun: true,
    },
    {
      name: 'HTTP 502',
      call: (_, response) => response.writeHead(502).end('<html>Bad gateway</html>'),
      code: 'upstream_error',
      mayHaveRun: true,
    },
    {
      name: 'HTTP 401',
      call: (_, response) => response.writeHead(401).end(),
      code: 'login_required',
      mayHaveRun: false,
    },
    {
      name: 'HTTP 403',
      call: (_, response) => response.writeHead(403).end(),
      code: 'upstream_unavailable',
      mayHaveRun: false,
    },
    {
      name: 'a page instead of an answer',
      call: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      code: 'upstream_error',
      mayHaveRun: true,
    },
  ];

  it.each(failures)('$name: $code, may have run: $mayHaveRun', async ({ call, code, mayHaveRun }) => {
    const server = await legacyHttp(call);
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    const failure = await upstream.call(tool('http', 'x'), {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, details: { mayHaveRun } });
    expect(String(failure)).not.toContain('secret-in-url');
    expect(server.count('tools/call')).toBe(1);
  });

  /** Writes without end, until the reader goes away. */
  const endless =
    (contentType: string, start: string): Handler =>
    (_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      response.write(start);
      const chunk = 'x'.repeat(16_384);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    };

  it.each([
    { name: 'a body', call: endless('application/json', '{"a":"') },
    { name: 'an event', call: endless('text/event-stream', ': hi\n\ndata: {"a":"') },
    { name: 'an event of a stream that can be resumed', call: endless('text/event-stream', 'id: 1\ndata:\n\ndata: "') },
  ])('stops reading $name without end, and works again afterwards', async ({ call }) => {
    let isEndless = true;
    let closed = 0;
    const server = await legacyHttp((request, response, http) => {
      response.on('close', () => {
        closed += 1;
      });
      (isEndless ? call : ok)(request, response, http);
    });
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })], {
      limits: { messageMaxBytes: 1_000_000 },
    });
    await expect(upstream.call(tool('http', 'x'), {})).rejects.toMatchObject({
      code: 'result_too_large',
      details: { mayHaveRun: true },
      message: expect.stringContaining('more than 1000000 bytes'),
    });
    await until(() => closed > 0, 'the end of the response');
    isEndless = false;
    await expect(upstream.call(tool('http', 'x'), {})).resolves.toHaveProperty('content');
  });

  it('reads a stream that is longer than one message may be', async () => {
    const server = await legacyHttp(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let event = 0; event < 50; event += 1) {
        response.write(`: ${'x'.repeat(9_000)}\r\n\r\n: ${'x'.repeat(9_000)}\n\n`);
      }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`);
    });
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })], {
      limits: { messageMaxBytes: 100_000 },
    });
    await expect(upstream.call(tool('http', 'x'), {})).resolves.toEqual({ content: [] });
  });

  it('is left alone when calls are answered with 503 again and again, and tried again later', async () => {
    let isDown = true;
    const http = await legacyHttp((request, response, message) => {
      if (isDown) response.writeHead(503).end('down');
      else ok(request, response, message);
    });
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url: http.url, headers: {} })]);
    const call = () => upstream.call(tool('http', 'x'), {});
    for (let i = 0; i < 3; i += 1) await expect(call()).rejects.toThrow('HTTP 503');
    const before = http.count('tools/call');
    await expect(call()).rejects.toMatchObject({ code: 'upstream_unavailable', details: { mayHaveRun: false } });
    expect(http.count('tools/call')).toBe(before);
    expect(upstream.states()).toMatchObject([{ state: 'failed', reason: 'Server "http" answered with HTTP 503.' }]);
    isDown = false;
    passTime(60_000);
    await expect(call()).resolves.toMatchObject({ content: [{ text: 'ok' }] });
    expect(upstream.states()).toEqual([{ id: 'http', state: 'ready' }]);
  });

  it('is out of reach at an address where nobody listens, and the URL stays out of the report', async () => {
    const url = 'http://127.0.0.1:9/mcp?key=secret-in-url';
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url, headers: {} })]);
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'failed', error: expect.stringContaining('could not be reached') });
    expect(report?.error).not.toContain('secret-in-url');
  });

  it('gives up on a server that accepts and keeps silent, within its time', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { upstream } = upstreamOf([spec('http', { kind: 'http', url, headers: {} }, { connectTimeoutMs: 700 })]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'failed' }]);
    await expect(upstream.call(tool('http', 'x'), {})).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('does not ask a server for its revision that is known to be old', async () => {
    const server = await legacyHttp(ok);
    const { upstream, catalog } = upstreamOf([spec('http', { kind: 'http', url: server.url, headers: {} })]);
    catalog.row('http').era = { era: 'legacy', protocolVersion: '2025-06-18', decidedAt: Date.now() };
    await upstream.call(tool('http', 'x'), {});
    expect(server.count('server/discover')).toBe(0);
    await until(() => catalog.row('http').lists.length === 1, 'the list after the connect');
  });
});
