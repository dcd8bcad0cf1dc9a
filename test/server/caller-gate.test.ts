import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallerCheck, StoredToken } from '../../src/model/index.ts';
import { createTokenCheck, newToken } from '../../src/policy/index.ts';
import { type HttpServing, serveHttp } from '../../src/server/index.ts';
import { FakeRouter } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const running: HttpServing[] = [];
afterEach(async () => {
  for (const serving of running.splice(0)) await serving.close();
});

interface ServeOptions {
  isRequired?: boolean;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  limits?: { maxSessions: number };
  mode?: 'direct' | 'discovery';
}

/** A server whose tokens lie in memory. */
async function serve(options: ServeOptions = {}) {
  const stored: StoredToken[] = [];
  let generation = 0;
  const { isRequired, mode = 'discovery', ...more } = options;
  const callers: CallerCheck = createTokenCheck({
    tokens: { generation: () => generation, all: () => stored },
    isTrusted: () => false,
    ...(isRequired === undefined ? {} : { isRequired }),
  });
  const router = new FakeRouter(mode);
  const serving = await serveHttp(router, {
    port: 0,
    serverInfo: { name: 'toolcrib', version: '0' },
    logger: keepingLogger(),
    callers,
    ...more,
  });
  running.push(serving);
  const add = (name: string) => {
    const token = newToken(name, { scopes: ['*'] }, Date.now());
    stored.push(token.stored);
    generation += 1;
    return token.secret;
  };
  const revokeAll = () => {
    for (const token of stored) token.revokedAt = 1;
    generation += 1;
  };
  return { ...serving, router, add, revokeAll };
}

interface Asked {
  method?: string;
  secret?: string;
  session?: string;
  headers?: Record<string, string>;
  body?: object;
}

function open(port: number, { method = 'POST', secret, session, headers = {}, body }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path: '/mcp',
        method,
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
          ...headers,
        },
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
  });
}

async function statusOf(port: number, asked: Asked): Promise<number> {
  const response = await open(port, asked);
  response.resume();
  return response.statusCode ?? 0;
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

async function openSession(port: number, secret?: string): Promise<string> {
  const response = await open(port, { body: initialize, ...(secret === undefined ? {} : { secret }) });
  response.resume();
  return String(response.headers['mcp-session-id']);
}

const ping = { method: 'ping' };
const goneWithin = { timeout: 60_000, interval: 20 };

describe('a request over HTTP', () => {
  it('needs a token from when there is one', async () => {
    const { port, add } = await serve();
    expect(await statusOf(port, { body: initialize })).toBe(200);
    const secret = add('ci');
    expect(await statusOf(port, { body: initialize })).toBe(401);
    expect(await statusOf(port, { body: initialize, secret })).toBe(200);
  });

  it('is refused before its body is read, and slowed down when it goes on', async () => {
    const { port, router } = await serve({ isRequired: true });
    const body = { method: 'tools/call', params: { name: 'echo', arguments: {} } };
    const statuses = [];
    for (let tries = 0; tries < 22; tries += 1) statuses.push(await statusOf(port, { body, secret: 'guess' }));
    expect(statuses.slice(-3)).toEqual([401, 429, 429]);
    const { headers } = await open(port, { body }).then((response) => response.resume());
    expect([Number(headers['retry-after']) > 0, headers['www-authenticate']]).toEqual([true, undefined]);
    expect(router.calls).toEqual([]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('of method %s needs one as well', async (method) => {
    const { port } = await serve({ isRequired: true });
    expect(await statusOf(port, { method })).toBe(401);
  });

  it('may name other hosts and pages than loopback where the config does', async () => {
    const { port, add } = await serve({ allowedHosts: ['tools.example'], allowedOrigins: ['app.example'] });
    const ask = (headers: Record<string, string>, secret = add(`caller${Math.random()}`)) =>
      statusOf(port, { body: initialize, headers, secret });
    expect(await ask({ host: 'tools.example', origin: 'https://app.example' })).toBe(200);
    expect(await ask({ host: 'other.example' })).toBe(403);
    expect(await ask({ origin: 'https://tools.example' })).toBe(403);
  });
});

describe('a session', () => {
  it('is of the caller who opened it: for any other there is none', async () => {
    const { port, add } = await serve();
    const [ann, bob] = [add('ann'), add('bob')];
    const session = await openSession(port, ann);
    expect(await statusOf(port, { body: ping, secret: ann, session })).toBe(200);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const asked = { method, secret: bob, session, ...(method === 'POST' ? { body: ping } : {}) };
      expect(await statusOf(port, asked)).toBe(404);
    }
    expect(await statusOf(port, { body: ping, secret: ann, session })).toBe(200);
  });

  it('makes room by ending one of the same caller before one of another', async () => {
    const { port, add } = await serve({ limits: { maxSessions: 3 } });
    const [ann, bob] = [add('ann'), add('bob')];
    const anns = await openSession(port, ann);
    const bobs = [];
    for (let opened = 0; opened < 5; opened += 1) bobs.push(await openSession(port, bob));
    expect(await statusOf(port, { body: ping, secret: ann, session: anns })).toBe(200);
    expect(await statusOf(port, { body: ping, secret: bob, session: String(bobs[0]) })).toBe(404);
    expect(await statusOf(port, { body: ping, secret: bob, session: String(bobs.at(-1)) })).toBe(200);
  });

  it('that was opened without a token is nobody’s once there is one', async () => {
    const { port, add } = await serve();
    const session = await openSession(port);
    const secret = add('ann');
    expect(await statusOf(port, { body: ping, secret, session })).toBe(404);
    expect(await statusOf(port, { body: ping, session })).toBe(401);
  });

  it('ends with the token, and its stream and its running call with it', async () => {
    const { port, add, revokeAll, router } = await serve();
    const secret = add('ann');
    const session = await openSession(port, secret);
    const stream = await open(port, { method: 'GET', secret, session });
    stream.resume().on('error', () => undefined);
    const call = await open(port, {
      secret,
      session,
      body: { method: 'tools/call', params: { name: 'hang', arguments: {}, _meta: { progressToken: 1 } } },
    });
    call.resume().on('error', () => undefined);
    expect(stream.statusCode).toBe(200);
    const closed = Promise.all([stream, call].map((open) => new Promise((resolve) => open.once('close', resolve))));
    revokeAll();
    await closed;
    await router.cancelled;
    await expect.poll(() => statusOf(port, { body: ping, secret, session }), goneWithin).toBe(401);
  });
});

describe('lists', () => {
  it('are nobody else’s to keep while callers are told apart', async () => {
    const { port, add } = await serve();
    const scopeOf = async (secret?: string) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      const body = { method: 'tools/list', params: { _meta } };
      const response = await open(port, { headers, body, ...(secret === undefined ? {} : { secret }) });
      let text = '';
      for await (const chunk of response) text += chunk;
      return /"cacheScope":"(\w+)"/.exec(text)?.[1];
    };
    expect(await scopeOf()).toBe('public');
    expect(await scopeOf(add('ann'))).toBe('private');
  });
});

describe('a listener of 2026-07-28', () => {
  it('ends with the token', async () => {
    const { port, add, revokeAll } = await serve({ mode: 'direct' });
    const params = {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const stream = await open(port, { secret: add('ann'), headers, body: { method: 'subscriptions/listen', params } });
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('data', resolve));
    const closed = new Promise((resolve) => stream.once('close', resolve));
    revokeAll();
    await closed;
  });
});

describe('an address that other machines reach', () => {
  it('is served only while a token is needed', async () => {
    const options = {
      port: 0,
      host: '0.0.0.0',
      serverInfo: { name: 'toolcrib', version: '0' },
      logger: keepingLogger(),
    };
    const callers = (isRequired: boolean) =>
      createTokenCheck({ tokens: { generation: () => 0, all: () => [] }, isTrusted: () => false, isRequired });
    await expect(serveHttp(new FakeRouter(), { ...options, callers: callers(false) })).rejects.toMatchObject({
      code: 'address_refused',
    });
    const serving = await serveHttp(new FakeRouter(), { ...options, callers: callers(true) });
    running.push(serving);
    expect(await statusOf(serving.port, { body: ping })).toBe(401);
    expect(await statusOf(serving.port, { body: ping, headers: { host: 'whatever.example' } })).toBe(401);
  });

  it('has to be one of this machine', async () => {
    const callers = createTokenCheck({
      tokens: { generation: () => 0, all: () => [] },
      isTrusted: () => false,
      isRequired: true,
    });
    const serving = serveHttp(new FakeRouter(), {
      port: 0,
      host: '192.0.2.1',
      serverInfo: { name: 'toolcrib', version: '0' },
      logger: keepingLogger(),
      callers,
    });
    await expect(serving).rejects.toMatchObject({ code: 'address_unusable' });
  });
});
