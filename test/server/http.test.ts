import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpServing, serveHttp } from '../../src/server/index.ts';
import { FakeRouter, knownBlocks } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const serverInfo = { name: 'toolcrib', version: '0.0.0' };
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const running: HttpServing[] = [];
afterEach(async () => {
  for (const serving of running.splice(0)) await serving.close();
});

async function serve(limits = {}, router = new FakeRouter()): Promise<HttpServing & { router: FakeRouter }> {
  const serving = await serveHttp(router, { port: 0, serverInfo, logger: keepingLogger(), limits });
  running.push(serving);
  return { ...serving, router };
}

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The JSON-RPC message, out of the event stream where there is one. */
  message: { result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } };
}

interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Below `fetch`, which neither sends a Host header of one's own nor lets one read a refusal during upload. */
function raw({ port }: HttpServing, { method = 'POST', path = '/mcp', headers = {}, body }: RawRequest) {
  return new Promise<Reply>((resolve, reject) => {
    const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers };
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? (text.startsWith('{') ? text : '{}');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, message: JSON.parse(json) });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function rpc(message: { method: string; params?: Record<string, unknown> }): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
}

/** A 2026-07-28 request with headers that fit it; `meta` and `headers` replace parts of it. */
function modern(
  method: string,
  params: Record<string, unknown> = {},
  { meta = modernMeta as Record<string, unknown> | false, headers = {} as Record<string, string> } = {},
): RawRequest {
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
    body: rpc({ method, params: { ...params, ...(meta === false ? {} : { _meta: meta }) } }),
  };
}

async function openSession(serving: HttpServing): Promise<string> {
  const reply = await raw(serving, { body: rpc(initialize) });
  expect(reply.status).toBe(200);
  return String(reply.headers['mcp-session-id']);
}

describe('where it listens', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '[::1]'])('takes %s', async (host) => {
    const serving = await serveHttp(new FakeRouter(), { port: 0, host, serverInfo, logger: keepingLogger() });
    running.push(serving);
    expect((await fetch(serving.url, { method: 'PUT' })).status).toBe(405);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.org', ''])('refuses %j', async (host) => {
    await expect(
      serveHttp(new FakeRouter(), { port: 0, host, serverInfo, logger: keepingLogger() }),
    ).rejects.toMatchObject({ code: 'address_refused', message: expect.stringContaining(JSON.stringify(host)) });
  });

  it('says which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(serveHttp(new FakeRouter(), { port, serverInfo, logger: keepingLogger() })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(String(port)),
    });
    other.close();
  });
});

describe('what it refuses', () => {
  const initializing = { body: rpc(initialize) };
  it.each<[string, RawRequest, number, number | undefined]>([
    ['a host name of elsewhere', { ...initializing, headers: { host: 'evil.example' } }, 403, -32000],
    ['a web page of elsewhere', { ...initializing, headers: { origin: 'https://evil.example' } }, 403, -32000],
    ['a page without an origin', { ...initializing, headers: { origin: 'null' } }, 403, -32000],
    ['another path', { ...initializing, path: '/' }, 404, -32000],
    ['a path below', { ...initializing, path: '/mcp/x' }, 404, -32000],
    ['another method', { method: 'PUT' }, 405, -32000],
    ['another media type', { headers: { 'content-type': 'text/plain' }, body: rpc(initialize) }, 415, -32000],
    ['a body that is not JSON', { body: '{"jsonrpc":' }, 400, -32700],
    ['an empty body', { body: '' }, 400, -32700],
    ['a request without a session', { body: rpc({ method: 'tools/list' }) }, 400, -32000],
    ['a stream without a session', { method: 'GET' }, 400, -32000],
    ['an unknown session', { body: rpc({ method: 'ping' }), headers: { 'mcp-session-id': 'x' } }, 404, -32000],
    ['an unknown session to end', { method: 'DELETE', headers: { 'mcp-session-id': 'x' } }, 404, -32000],
    ['a modern request without metadata', modern('tools/list', {}, { meta: false }), 400, -32602],
    [
      'half of the metadata',
      modern('tools/list', {}, { meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
      400,
      -32602,
    ],
    [
      'a version that does not exist',
      modern(
        'tools/list',
        {},
        {
          meta: { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
          headers: { 'mcp-protocol-version': '2099-01-01' },
        },
      ),
      400,
      -32022,
    ],
    ['a method that does not exist', modern('tools/explode'), 404, -32601],
    ['headers that do not fit', modern('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }), 400, -32020],
  ])('%s', async (_, request, status, code) => {
    const serving = await serve();
    const reply = await raw(serving, request);
    expect([reply.status, reply.message.error?.code]).toEqual([status, code]);
    expect(serving.router.calls).toEqual([]);
  });

  it('names the versions it speaks', async () => {
    const meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = { 'mcp-protocol-version': '2099-01-01' };
    const { message } = await raw(await serve(), modern('tools/list', {}, { meta, headers }));
    expect(message.error?.data).toMatchObject({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  it.each([
    ['declared', { 'content-length': String(5 * 1024 * 1024) }],
    ['only found while reading', { 'transfer-encoding': 'chunked' }],
  ])('a body over 4 MiB, %s', async (_, headers) => {
    const body = rpc({ ...initialize, params: { padding: 'x'.repeat(5 * 1024 * 1024) } }).slice(0, 5 * 1024 * 1024);
    // The refusal may come while the rest is still being sent; a reset instead of an answer would be a fault.
    expect((await raw(await serve(), { body, headers })).status).toBe(413);
  });

  it('takes a body just under the limit', async () => {
    const params = { name: 'echo', arguments: { text: 'x'.repeat(4 * 1024 * 1024 - 1024) } };
    const reply = await raw(await serve(), modern('tools/call', params));
    expect(reply.status).toBe(200);
  });
});

describe('what goes over the wire', () => {
  it.each(['modern', 'legacy'])('keeps keys of content blocks that the SDK does not know (%s)', async (era) => {
    const serving = await serve();
    const call = { name: 'blocks', arguments: {} };
    const headers = era === 'legacy' ? { 'mcp-session-id': await openSession(serving) } : {};
    const request =
      era === 'legacy' ? { headers, body: rpc({ method: 'tools/call', params: call }) } : modern('tools/call', call);
    expect((await raw(serving, request)).message.result?.content).toEqual(knownBlocks);
  });

  it.each([
    ['discovery', { ttlMs: 3_600_000, cacheScope: 'public' }],
    ['direct', { ttlMs: 60_000, cacheScope: 'private' }],
  ] as const)('says how long the list of %s mode may be kept', async (mode, freshness) => {
    const reply = await raw(await serve({}, new FakeRouter(mode)), modern('tools/list'));
    expect(reply.message.result).toMatchObject({ resultType: 'complete', ...freshness });
    expect(reply.message.result?.tools).toEqual(new FakeRouter(mode).listTools());
  });

  it('names itself, not the server behind', async () => {
    const { message } = await raw(await serve(), modern('tools/call', { name: 'echo', arguments: {} }));
    expect(message.result?._meta).toEqual({
      'example.org/cost': 3,
      'io.modelcontextprotocol/serverInfo': serverInfo,
    });
  });

  it('refuses a cursor that it did not give out', async () => {
    const { message } = await raw(await serve(), modern('tools/list', { cursor: 'again' }));
    expect(message.error).toMatchObject({ code: -32602, message: expect.stringContaining('"again"') });
  });

  it('gives a long list in pages that belong together', async () => {
    const router = new FakeRouter('direct');
    for (let i = 0; i < 1_500; i += 1) router.addTool(`more_${i}`);
    const serving = await serve({}, router);
    const first = (await raw(serving, modern('tools/list'))).message.result;
    const cursor = first?.nextCursor;
    const second = (await raw(serving, modern('tools/list', { cursor }))).message.result;
    const tools = [first, second].flatMap((page) => page?.tools as unknown[]);
    expect(tools).toEqual(router.listTools());
    const freshness = { ttlMs: 60_000, cacheScope: 'private' };
    expect([first, second]).toMatchObject([{ nextCursor: expect.any(String), ...freshness }, freshness]);
    expect(second?.nextCursor).toBeUndefined();
    router.addTool('one_more');
    const { status, message } = await raw(serving, modern('tools/list', { cursor }));
    expect(message.error).toMatchObject({ code: -32602, message: expect.stringContaining('has changed') });
    expect(status).toBe(200);
  });

  it('asks proxies not to buffer', async () => {
    const serving = await serve();
    const modernReply = await raw(serving, modern('tools/list'));
    const legacyReply = await raw(serving, { body: rpc(initialize) });
    expect([modernReply, legacyReply].map(({ headers }) => headers['x-accel-buffering'])).toEqual(['no', 'no']);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s with hosts that ask for it',
    async (v) => {
      const params = { ...initialize.params, protocolVersion: v };
      const { message } = await raw(await serve(), { body: rpc({ method: 'initialize', params }) });
      expect(message.result?.protocolVersion).toBe(v);
    },
  );
});

describe('sessions', () => {
  it('end with DELETE', async () => {
    const serving = await serve();
    const headers = { 'mcp-session-id': await openSession(serving) };
    expect((await raw(serving, { headers, body: rpc({ method: 'ping' }) })).status).toBe(200);
    expect((await raw(serving, { method: 'DELETE', headers })).status).toBe(200);
    expect((await raw(serving, { headers, body: rpc({ method: 'ping' }) })).status).toBe(404);
  });

  it('give way to new ones, the longest idle first', async () => {
    const serving = await serve({ maxSessions: 2 });
    const [first, second, third] = [await openSession(serving), await openSession(serving), await openSession(serving)];
    const ping = async (id: string) =>
      (await raw(serving, { headers: { 'mcp-session-id': id }, body: rpc({ method: 'ping' }) })).status;
    expect([await ping(first), await ping(second), await ping(third)]).toEqual([404, 200, 200]);
  });

  it('that are in use are kept, and the new one is refused', async () => {
    const serving = await serve({ maxSessions: 1 });
    const headers = { 'mcp-session-id': await openSession(serving), accept: 'text/event-stream' };
    const stream = await fetch(serving.url, { headers });
    expect(stream.status).toBe(200);
    const refused = await raw(serving, { body: rpc(initialize) });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    await stream.body?.cancel();
  });

  it('are not opened by a request that the transport refuses', async () => {
    const serving = await serve({ maxSessions: 1 });
    const refused = await raw(serving, { headers: { accept: 'text/html' }, body: rpc(initialize) });
    expect(refused.status).toBe(406);
    await openSession(serving);
  });
});

describe('close', () => {
  it('cancels running calls, ends sessions and streams, and frees the port', async () => {
    const serving = await serve();
    const headers = { 'mcp-session-id': await openSession(serving) };
    const stream = await fetch(serving.url, { headers: { ...headers, accept: 'text/event-stream' } });
    const params = { name: 'hang', arguments: {} };
    const calls = [
      raw(serving, { headers, body: rpc({ method: 'tools/call', params }) }),
      raw(serving, modern('tools/call', params)),
    ];
    const settled = Promise.allSettled(calls);
    await expect.poll(() => serving.router.calls.length).toBe(2);
    await serving.close();
    await serving.closed;
    await serving.router.cancelled;
    await settled;
    expect(await stream.text()).not.toContain('result');
    expect(serving.router.listenerCount).toBe(0);
    await expect(fetch(serving.url)).rejects.toThrow();
    await serving.close();
  });
});
