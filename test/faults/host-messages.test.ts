import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpServing, serveHttp } from '../../src/server/index.ts';
import { FakeRouter } from '../server/fake-router.ts';
import { keepingLogger } from '../server/keeping-logger.ts';

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function serve() {
  const router = new FakeRouter();
  const errors: string[] = [];
  const logger = keepingLogger((level, message) => void (level === 'error' && errors.push(message)));
  const serving = await serveHttp(router, { port: 0, serverInfo: { name: 'toolcrib', version: '0' }, logger });
  onTestFinished(() => serving.close());
  return { serving, router, errors };
}

/** Posts `body`; gives the status and the message, out of the event stream where there is one. */
async function post({ url }: HttpServing, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  const message = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
  return { status: response.status, message, session: response.headers.get('mcp-session-id') };
}

async function openSession(serving: HttpServing): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const opened = await post(serving, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  return { 'mcp-session-id': String(opened.session), 'mcp-protocol-version': '2025-11-25' };
}

const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const deepCall = (levels: number, meta: object = {}) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"a":${nested(levels)}},"_meta":${JSON.stringify(meta)}}}`;

describe('a message that is nested without measure', () => {
  it.each([2_000, 10_000, 500_000])('of %i levels is a bad request, in any revision', async (levels) => {
    const { serving, router, errors } = await serve();
    const session = await openSession(serving);
    const replies = [
      await post(serving, deepCall(levels, modernMeta), modernHeaders),
      await post(serving, deepCall(levels), session),
      await post(serving, deepCall(levels)),
    ];
    for (const { status, message } of replies) {
      expect(status).toBe(400);
      expect(message).toMatchObject({
        id: 7,
        error: { code: -32600, message: expect.stringContaining('1000 levels') },
      });
    }
    expect((await post(serving, nested(levels), session)).message).toMatchObject({ id: null, error: { code: -32600 } });
    expect(router.calls).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('goes on to the tool below that, where its arguments are judged', async () => {
    const { serving, router } = await serve();
    expect((await post(serving, deepCall(500, modernMeta), modernHeaders)).status).toBe(200);
    expect(router.calls).toHaveLength(1);
  });
});

describe('two requests of one session with one id', () => {
  const call = (id: number | string, name: string, args: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

  it('are not given each other’s answers: the second is refused while the first waits', async () => {
    const { serving, router } = await serve();
    const session = await openSession(serving);
    const first = post(serving, call(7, 'slow'), session);
    await expect.poll(() => router.calls.length).toBe(1);
    const second = await post(serving, call(7, 'echo', { text: 'second' }), session);
    expect(second).toMatchObject({ status: 400, message: { id: 7, error: { code: -32600 } } });
    expect(second.message.error.message).toContain('in use');
    // Another type is another id.
    expect((await post(serving, call('7', 'echo', { text: 'text' }), session)).status).toBe(200);
    await post(serving, call(8, 'release'), session);
    expect(await first).toMatchObject({ status: 200, message: { id: 7, result: { content: [{ text: 'done' }] } } });
    expect(router.calls.map(({ name }) => name)).toEqual(['slow', 'echo', 'release']);
    // Answered, the id is free; some hosts count from the start again.
    expect((await post(serving, call(7, 'echo'), session)).status).toBe(200);
  });

  it('are none where the first was refused unread', async () => {
    const { serving } = await serve();
    const session = await openSession(serving);
    expect((await post(serving, call(7, 'echo'), { ...session, accept: 'text/html' })).status).toBe(406);
    expect((await post(serving, call(7, 'echo'), session)).status).toBe(200);
  });

  it('are no matter between sessions', async () => {
    const { serving, router } = await serve();
    const [one, two] = [await openSession(serving), await openSession(serving)];
    const first = post(serving, call(7, 'slow'), one);
    await expect.poll(() => router.calls.length).toBe(1);
    expect((await post(serving, call(7, 'echo', { text: 'two' }), two)).message.result.content).toEqual([
      { type: 'text', text: '{"text":"two"}' },
    ]);
    await post(serving, call(8, 'release'), one);
    expect((await first).message.result.content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('may follow each other once the first was cancelled', async () => {
    const { serving, router } = await serve();
    const session = await openSession(serving);
    const gone = new AbortController();
    const hanging = fetch(serving.url, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...session },
      body: call(7, 'hang'),
      signal: gone.signal,
    }).then((response) => response.text());
    hanging.catch(() => {});
    await expect.poll(() => router.calls.length).toBe(1);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    await fetch(serving.url, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...session },
      body: JSON.stringify(cancel),
    });
    await router.cancelled;
    expect((await post(serving, call(7, 'echo'), session)).status).toBe(200);
    gone.abort();
  });
});
