import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp, serveStdio } from '../../src/server/index.ts';
import { FakeRouter } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const serverInfo = { name: 'toolcrib', version: '0.0.0' };
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Message {
  id?: unknown;
  method?: string;
  params?: { _meta?: Record<string, unknown>; notifications?: unknown };
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface Wire {
  /** Sends a request of 2026-07-28; its answers and everything that follows them come with `messages`. */
  send(id: number, method: string, params?: Record<string, unknown>): void;
  notify(method: string, params: Record<string, unknown>): void;
  messages(): Message[];
  /** Ends the server in order. */
  close(): Promise<void>;
  router: FakeRouter;
}

function overStdio(router: FakeRouter): Wire {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(router, { serverInfo, logger: keepingLogger(), input, output });
  onTestFinished(() => serving.close());
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const write = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    send: (id, method, params = {}) => write({ id, method, params: { _meta, ...params } }),
    notify: (method, params) => write({ method, params: { _meta, ...params } }),
    messages: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Message),
    close: () => serving.close(),
    router,
  };
}

async function overHttp(router: FakeRouter): Promise<Wire> {
  const serving = await serveHttp(router, { port: 0, serverInfo, logger: keepingLogger() });
  onTestFinished(() => serving.close());
  const messages: Message[] = [];
  const streams = new Map<number, AbortController>();
  const post = async (id: number, method: string, params: Record<string, unknown>) => {
    const abort = new AbortController();
    streams.set(id, abort);
    const response = await fetch(serving.url, {
      method: 'POST',
      signal: abort.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta, ...params } }),
    });
    let text = '';
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (!isStream) continue;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const data of events.flatMap((event) => /^data: (.+)$/m.exec(event)?.[1] ?? []))
        messages.push(JSON.parse(data));
    }
    if (!isStream) messages.push(JSON.parse(text));
  };
  return {
    send: (id, method, params = {}) => void post(id, method, params).catch(() => {}),
    // Over HTTP a stream is cancelled by being closed.
    notify: (_, { requestId }) => streams.get(Number(requestId))?.abort(),
    messages: () => messages,
    close: () => serving.close(),
    router,
  };
}

describe.each([
  { name: 'stdio', open: async (router: FakeRouter) => overStdio(router) },
  { name: 'HTTP', open: overHttp },
])('subscriptions/listen over $name', ({ open }) => {
  const listen = { notifications: { toolsListChanged: true, promptsListChanged: true } };

  it('is acknowledged first, with what is served of what was asked for', async () => {
    const wire = await open(new FakeRouter('direct'));
    wire.send(7, 'subscriptions/listen', listen);
    await expect.poll(() => wire.messages().length).toBe(1);
    expect(wire.messages()[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [subscriptionKey]: 7 } },
    });
    expect(wire.messages()[0]?.params?.notifications).not.toHaveProperty('promptsListChanged');
  });

  it('tells of changed tools under the id of each subscription, and only of what was asked for', async () => {
    const wire = await open(new FakeRouter('direct'));
    wire.send(1, 'subscriptions/listen', listen);
    wire.send(2, 'subscriptions/listen', { notifications: { promptsListChanged: true } });
    wire.send(3, 'subscriptions/listen', listen);
    await expect.poll(() => acknowledged(wire).length).toBe(3);
    wire.router.addTool('added');
    const changes = () => wire.messages().filter(({ method }) => method === 'notifications/tools/list_changed');
    await expect.poll(() => changes().length).toBe(2);
    expect(
      changes()
        .map(({ params }) => params?._meta?.[subscriptionKey])
        .sort(),
    ).toEqual([1, 3]);
  });

  it('tells nothing more after it was cancelled', async () => {
    const wire = await open(new FakeRouter('direct'));
    wire.send(1, 'subscriptions/listen', listen);
    wire.send(2, 'subscriptions/listen', listen);
    await expect.poll(() => acknowledged(wire).length).toBe(2);
    wire.notify('notifications/cancelled', { requestId: 1 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    wire.router.addTool('added');
    const changes = () => wire.messages().filter(({ method }) => method === 'notifications/tools/list_changed');
    await expect.poll(() => changes().length).toBe(1);
    expect(changes()[0]?.params?._meta).toEqual({ [subscriptionKey]: 2 });
  });

  it('ends with a result when the server ends', async () => {
    const wire = await open(new FakeRouter('direct'));
    wire.send(5, 'subscriptions/listen', listen);
    await expect.poll(() => acknowledged(wire).length).toBe(1);
    await wire.close();
    await expect
      .poll(() => wire.messages().at(-1))
      .toMatchObject({
        id: 5,
        result: { resultType: 'complete', _meta: { [subscriptionKey]: 5 } },
      });
  });

  it('promises nothing where the list is fixed', async () => {
    const wire = await open(new FakeRouter('discovery'));
    wire.send(1, 'subscriptions/listen', listen);
    await expect.poll(() => acknowledged(wire).length).toBe(1);
    expect(acknowledged(wire)[0]?.params?.notifications).toEqual({});
    wire.router.addTool('added');
    wire.send(2, 'tools/list');
    await expect.poll(() => wire.messages().some(({ id }) => id === 2)).toBe(true);
    expect(wire.messages().map(({ method }) => method)).not.toContain('notifications/tools/list_changed');
  });

  it('is refused without a filter', async () => {
    const wire = await open(new FakeRouter('direct'));
    wire.send(1, 'subscriptions/listen');
    await expect.poll(() => wire.messages().at(-1)?.error?.code).toBe(-32602);
  });
});

function acknowledged(wire: Wire): Message[] {
  return wire.messages().filter(({ method }) => method === 'notifications/subscriptions/acknowledged');
}

describe('a host of 2026-07-28 over stdio', () => {
  it.each<[string, Record<string, unknown>, number]>([
    ['a request without metadata', { method: 'tools/list', params: { _meta: {} } }, -32602],
    [
      'half of the metadata',
      { method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
      -32602,
    ],
    [
      'a version that does not exist',
      {
        method: 'tools/list',
        params: { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      },
      -32022,
    ],
    ['a method that does not exist', { method: 'tools/explode', params: { _meta } }, -32601],
    ['a method of older revisions', { method: 'ping', params: { _meta } }, -32601],
    ['a cursor that was not given out', { method: 'tools/list', params: { _meta, cursor: 'x' } }, -32602],
  ])('is refused %s', async (_, { method, params }, code) => {
    const wire = overStdio(new FakeRouter('direct'));
    // The question for revisions alone decides nothing: older hosts may ask it too.
    wire.send(1, 'tools/list');
    await expect.poll(() => wire.messages().length).toBe(1);
    wire.send(2, String(method), params as Record<string, unknown>);
    await expect.poll(() => wire.messages().find(({ id }) => id === 2)?.error?.code).toBe(code);
  });

  it('is told what is spoken here', async () => {
    const wire = overStdio(new FakeRouter('direct'));
    wire.send(1, 'server/discover');
    await expect
      .poll(() => wire.messages()[0]?.result)
      .toMatchObject({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        instructions: 'Search first, then call.',
        ttlMs: expect.any(Number),
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      });
  });
});
