import { stat } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ElicitationAnswer, ElicitationParams, JsonObject } from '../../src/model/index.ts';
import { textOf } from '../fixtures/hosts/index.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';
import { Workspace } from './program.ts';

const node = (...args: string[]) => ({ command: process.execPath, args });
const mcpServers = {
  modern: node(fixtureServer('asking-modern.mjs')),
  old: node(fixtureServer('asking-legacy.mjs')),
  own: { ...node(fixtureServer('asking-legacy.mjs')), isolation: 'perCaller' },
};
const accept = { action: 'accept', content: { name: 'Ada' } };

async function workspaceOf(): Promise<Workspace> {
  const workspace = await Workspace.create({ mode: 'discovery', mcpServers });
  onTestFinished(() => workspace.remove());
  await workspace.json('sync');
  return workspace;
}

describe('the state that a 2026-07-28 host brings back', () => {
  it('is good after a restart, with a key that only its owner can read', async () => {
    const workspace = await workspaceOf();
    const first = await workspace.serveHttp();
    const { requestState, inputRequests } = required(await post(first.url, 'modern__ask'));
    expect(Object.keys(inputRequests)).toEqual(['who']);
    first.child.kill('SIGTERM');
    const second = await workspace.serveHttp();
    const more = { requestState, inputResponses: { who: accept } };
    const { result } = await post(second.url, 'modern__ask', {}, more);
    expect(JSON.parse(firstText(result))).toEqual({ answer: accept, stateIsBack: true });
    expect((await stat(`${workspace.catalogPath}.key`)).mode & 0o777).toBe(0o600);
  });

  it('is refused when it was altered, or comes with other arguments or another tool', async () => {
    const { url } = await (await workspaceOf()).serveHttp();
    const { requestState } = required(await post(url, 'modern__ask', { a: 1 }));
    const inputResponses = { who: accept };
    const altered = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const [name, args, state] of [
      ['modern__ask', { a: 1 }, altered],
      ['modern__ask', { a: 2 }, requestState],
      ['modern__ask_url', { a: 1 }, requestState],
    ] as const) {
      const { error, result } = await post(url, name, args, { inputResponses, requestState: state });
      expect(result).toBeUndefined();
      expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
      expect(error?.message).toMatch(/call the tool again from the start/);
    }
    const { result } = await post(url, 'modern__ask', { a: 1 }, { inputResponses, requestState });
    expect(firstText(result)).toContain('stateIsBack');
  });

  it('leads to a call that still runs, once, and to none after a restart', async () => {
    const workspace = await workspaceOf();
    const first = await workspace.serveHttp();
    const asked = [required(await post(first.url, 'old__ask')), required(await post(first.url, 'old__ask'))] as const;
    const answer = (url: string, { requestState, inputRequests }: Required, name: string) => {
      const key = Object.keys(inputRequests)[0] ?? '';
      return post(url, 'old__ask', {}, { requestState, inputResponses: { [key]: { ...accept, content: { name } } } });
    };
    // In the other order.
    expect(firstText((await answer(first.url, asked[1], 'second')).result)).toContain('second');
    expect(firstText((await answer(first.url, asked[0], 'first')).result)).toContain('first');
    const again = await answer(first.url, asked[0], 'first');
    expect(again.error).toMatchObject({ code: -32602, message: expect.stringContaining('no longer waits') });
    const third = required(await post(first.url, 'old__ask'));
    first.child.kill('SIGTERM');
    const late = await answer((await workspace.serveHttp()).url, third, 'third');
    expect(late.error).toMatchObject({ code: -32602, message: expect.stringContaining('toolcrib was restarted') });
  });

  it('is not needed where the server gave none', async () => {
    const { url } = await (await workspaceOf()).serveHttp();
    const { result: asked } = await post(url, 'modern__ask_plainly');
    expect(asked).toMatchObject({ resultType: 'input_required' });
    expect(asked).not.toHaveProperty('requestState');
    const { result } = await post(url, 'modern__ask_plainly', {}, { inputResponses: { who: accept } });
    expect(JSON.parse(firstText(result))).toEqual({ answer: accept, state: 'none' });
  });
});

describe('a host of a session', () => {
  it('cancels a call whose question it does not answer, down to the server', async () => {
    const workspace = await workspaceOf();
    const { url } = await workspace.serveHttp();
    const endpoint = { kind: 'http', url } as const;
    const abort = new AbortController();
    const elicit = () => {
      abort.abort('enough');
      return new Promise<never>(() => {});
    };
    const host = await workspace.connect('v1', endpoint, { elicit });
    const call = host.call('call_tool', { name: 'old__ask', arguments: {} }, { signal: abort.signal });
    await expect(call).rejects.toThrow();
    const cancelled = async () => textOf(await host.call('call_tool', { name: 'old__cancelled', arguments: {} }));
    await expect.poll(cancelled, { timeout: 15_000, interval: 100 }).toBe('["ask"]');
  });

  it('is not asked what another session may have to answer, unless each has its own connection', async () => {
    const workspace = await workspaceOf();
    const { url } = await workspace.serveHttp();
    const connect = async (name: string) => {
      const asked: ElicitationParams[] = [];
      const elicit = (params: ElicitationParams): ElicitationAnswer => {
        asked.push(params);
        return { action: 'accept', content: { name } };
      };
      const host = await workspace.connect('v2 legacy', { kind: 'http', url }, { elicit });
      const call = async (tool: string, args: object = {}) =>
        JSON.parse(textOf(await host.call('call_tool', { name: tool, arguments: args })));
      return { asked, call };
    };
    const [ada, bob] = [await connect('Ada'), await connect('Bob')];
    await ada.call('old__pid');
    const waiting = bob.call('old__wait', { ms: 1_500 });
    await new Promise((wait) => setTimeout(wait, 300));
    expect(await ada.call('old__ask')).toEqual({ answer: { action: 'decline' } });
    await waiting;
    expect([...ada.asked, ...bob.asked]).toEqual([]);
    expect(await ada.call('own__pid')).not.toBe(await bob.call('own__pid'));
    const answers = await Promise.all([ada.call('own__ask_twice'), bob.call('own__ask_twice')]);
    expect(answers).toEqual(
      ['Ada', 'Bob'].map((name) => {
        const answer = { action: 'accept', content: { name } };
        return { first: answer, second: answer };
      }),
    );
  });
});

interface Reply {
  result?: JsonObject;
  error?: { code: number; message: string; data?: unknown };
}

interface Required {
  requestState: string;
  inputRequests: JsonObject;
}

/** `call_tool` as a host of 2026-07-28 sends it. */
async function post(url: string, tool: string, args: object = {}, more: object = {}): Promise<Reply> {
  const params = {
    name: 'call_tool',
    arguments: { name: tool, arguments: args },
    ...more,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
    },
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as Reply;
}

function required({ result, error }: Reply): Required {
  if (result?.resultType !== 'input_required') throw new Error(`Nothing was asked: ${JSON.stringify(result ?? error)}`);
  return result as unknown as Required;
}

function firstText(result: JsonObject | undefined): string {
  return textOf(result as never);
}
