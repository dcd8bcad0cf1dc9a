import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { MemoryCredentialStore } from '../../src/upstream/auth/credential-store.ts';
import { baseEnv, freePort, nodeModules, spec, tool, until, upstreamOf } from './harness.ts';
import { MemoryCatalog } from './memory-catalog.ts';

/** server-everything, which still speaks the old transport. */
async function everythingOverSse(): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const script = join(nodeModules, '@modelcontextprotocol/server-everything/dist/index.js');
  const child = spawn(process.execPath, [script, 'sse'], {
    env: { ...baseEnv, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  await until(() => printed.includes('is running'), 'server-everything over SSE');
  return { url: `http://127.0.0.1:${port}/sse`, child };
}

interface RpcRequest {
  id?: number | string;
  method: string;
  params?: JsonObject;
}

interface OldServer {
  url: string;
  /** `METHOD /path` of each request. */
  requests: string[];
  headers: IncomingMessage['headers'][];
  /** Open streams, by session. */
  streams: Map<string, ServerResponse>;
}

type Answer = (request: RpcRequest, stream: ServerResponse, server: OldServer) => void;

/** A server of the old transport whose `tools/call` is up to the test. */
async function oldServer(call: Answer, endpoint = '/message', token?: string): Promise<OldServer> {
  const server: OldServer = { url: '', requests: [], headers: [], streams: new Map() };
  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    server.requests.push(`${request.method} ${url.pathname}`);
    server.headers.push(request.headers);
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}` && url.pathname === '/sse') {
      return response.writeHead(request.method === 'POST' ? 404 : 401).end();
    }
    if (request.method === 'GET' && url.pathname === '/sse') {
      const id = String(server.streams.size + 1);
      server.streams.set(id, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(`event: endpoint\ndata: ${endpoint}?sessionId=${id}\n\n`);
    }
    const stream = server.streams.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || url.pathname !== '/message') return response.writeHead(404).end();
    if (stream === undefined) return response.writeHead(404).end('no such session');
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(202).end('Accepted');
    const message = JSON.parse(body) as RpcRequest;
    if (message.id === undefined) return;
    if (message.method === 'initialize') {
      return say(stream, message, {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      });
    }
    if (message.method === 'tools/list') {
      return say(stream, message, { tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
    }
    return call(message, stream, server);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
  return server;
}

function say(stream: ServerResponse, { id }: RpcRequest, result: JsonObject): void {
  stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

const done: Answer = (request, stream) => say(stream, request, { content: [{ type: 'text', text: 'done' }] });
const entry = (url: string, part: { sse?: boolean; headers?: Record<string, string> } = {}) =>
  spec('old', { kind: 'http', url, headers: {}, ...part });

describe('the deprecated HTTP+SSE transport', () => {
  it('is found out for a real server, which then lists and answers with progress', async () => {
    const { url } = await everythingOverSse();
    const { upstream, catalog } = upstreamOf([entry(url)]);
    const [report] = await upstream.sync();
    expect(report).toMatchObject({ state: 'ok' });
    expect(report?.tools).toBeGreaterThan(5);
    const echoed = await upstream.call(tool('old', 'echo'), { message: 'hello' });
    expect(echoed).toMatchObject({ content: [{ text: 'Echo: hello' }] });
    const ticks: number[] = [];
    const args = { duration: 0.2, steps: 2 };
    const options = { onProgress: ({ progress }: { progress: number }) => void ticks.push(progress) };
    await upstream.call(tool('old', 'trigger-long-running-operation'), args, options);
    expect(ticks.length).toBeGreaterThan(0);
    expect(catalog.row('old').era).toMatchObject({ era: 'legacy', transport: 'sse' });
  });

  it('goes there at once where it is configured, or was found out before', async () => {
    const configured = await oldServer(done);
    const headers = { 'X-Mine': 'yes' };
    const first = upstreamOf([entry(configured.url, { sse: true, headers })]);
    await expect(first.upstream.call(tool('old', 'x'), {})).resolves.toHaveProperty('content');
    expect(configured.requests[0]).toBe('GET /sse');
    expect(configured.requests.filter((line) => line === 'POST /sse')).toEqual([]);
    expect(configured.headers.every((sent) => sent['x-mine'] === 'yes')).toBe(true);

    const found = await oldServer(done);
    const catalog = new MemoryCatalog();
    await upstreamOf([entry(found.url)], { catalog }).upstream.sync();
    expect(found.requests.filter((line) => line === 'POST /sse').length).toBeGreaterThan(0);
    const asked = found.requests.length;
    await upstreamOf([entry(found.url)], { catalog }).upstream.sync();
    expect(found.requests.slice(asked).filter((line) => line === 'POST /sse')).toEqual([]);
  });

  it('forgets the verdict when the server has learnt the new transport', async () => {
    const server = createServer((request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as RpcRequest;
        if (id === undefined) return response.writeHead(202).end();
        const result =
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
            : { tools: [] };
        if (method === 'server/discover') return response.writeHead(400).end('what?');
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
      return undefined;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const catalog = new MemoryCatalog();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
    const first = upstreamOf([entry(url)], { catalog });
    catalog.recordEra('old', 'print-old', {
      era: 'legacy',
      protocolVersion: '2024-11-05',
      transport: 'sse',
      decidedAt: Date.now(),
    });
    await expect(first.upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
    expect(catalog.row('old').era).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(catalog.row('old').era?.transport).toBeUndefined();
  });

  it('ends the call when the stream ends, and makes a new session for the next one', async () => {
    let calls = 0;
    const server = await oldServer((request, stream, old) => {
      calls += 1;
      if (calls === 1) stream.end();
      else done(request, stream, old);
    });
    const { upstream } = upstreamOf([entry(server.url, { sse: true })]);
    await expect(upstream.call(tool('old', 'x'), {})).rejects.toMatchObject({
      code: 'upstream_lost',
      details: { mayHaveRun: true },
    });
    await expect(upstream.call(tool('old', 'x'), {})).resolves.toHaveProperty('content');
    expect(server.streams.size).toBe(2);
    expect(calls).toBe(2);
  });

  it('calls again in a new session when the server has forgotten the old one', async () => {
    const server = await oldServer(done);
    const { upstream } = upstreamOf([entry(server.url, { sse: true })]);
    await upstream.call(tool('old', 'x'), {});
    server.streams.delete('1');
    server.streams.set('gone', server.streams.get('1') as ServerResponse);
    await expect(upstream.call(tool('old', 'x'), {})).resolves.toHaveProperty('content');
    expect(server.streams.has('2')).toBe(true);
  });

  it('reads no message that is larger than one may be', async () => {
    const server = await oldServer((_, stream) => {
      stream.write(`event: message\ndata: ${'x'.repeat(200_000)}`);
    });
    const { upstream } = upstreamOf([entry(server.url, { sse: true })], { limits: { messageMaxBytes: 65_536 } });
    await expect(upstream.call(tool('old', 'x'), {})).rejects.toMatchObject({
      details: { reason: expect.stringContaining('65536 bytes') },
    });
  });

  it('sends messages to no other origin than that of the stream', async () => {
    const other = await oldServer(done);
    const server = await oldServer(done, other.url.replace('/sse', '/message'));
    const { upstream } = upstreamOf([entry(server.url, { sse: true })]);
    await expect(upstream.call(tool('old', 'x'), {})).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(other.requests).toEqual([]);
  });

  it('asks for a login where the stream does', async () => {
    const server = await oldServer(done, '/message', 'the-token');
    const { upstream } = upstreamOf([entry(server.url)]);
    await expect(upstream.call(tool('old', 'x'), {})).rejects.toMatchObject({ code: 'login_required' });
  });

  it('sends the token of a login with the stream and with each message', async () => {
    const server = await oldServer(done, '/message', 'the-token');
    const credentials = new MemoryCredentialStore();
    const issuer = 'https://as.example';
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/a`,
      token_endpoint: `${issuer}/t`,
      response_types_supported: ['code'],
    };
    const tokens = { access_token: 'the-token', token_type: 'Bearer', issuer };
    await credentials.update({ serverId: 'old', url: server.url }, () => ({
      issuer,
      issued: { [issuer]: { metadata, tokens } },
    }));
    const { upstream } = upstreamOf([entry(server.url, { sse: true })], { credentials });
    await expect(upstream.call(tool('old', 'x'), {})).resolves.toHaveProperty('content');
    expect(server.headers.every(({ authorization }) => authorization === 'Bearer the-token')).toBe(true);
  });

  it('says what was wrong with the new transport when there is no old one either', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('nothing here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { upstream } = upstreamOf([entry(url)]);
    await expect(upstream.call(tool('old', 'x'), {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('answered with HTTP 404'),
    });
  });
});
