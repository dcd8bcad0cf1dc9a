import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElicitationAnswer, ElicitationParams } from '../../src/model/index.ts';
import { generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import {
  everything,
  fixtureServer,
  type StartedServer,
  startEverything,
  startFixture,
} from '../fixtures/servers/start.ts';
import { Workspace } from './program.ts';

const kinds = ['stdio', 'http'] as const;
const cases = kinds.flatMap((kind) => generations.map((generation) => [kind, generation] as const));

const started: StartedServer[] = [];
const everythingOverHttp = await startEverything();
const modernOverHttp = await startFixture('asking-modern.mjs', 'http');
started.push(everythingOverHttp, modernOverHttp);
afterAll(() => Promise.all(started.map((server) => server.stop())));

const node = (...args: string[]) => ({ command: process.execPath, args });
const mcpServers = {
  everything: node(everything),
  everything_http: { url: everythingOverHttp.url },
  modern: node(fixtureServer('asking-modern.mjs')),
  modern_http: { url: modernOverHttp.url },
  old: node(fixtureServer('asking-legacy.mjs')),
};

describe.each(cases)('a host over %s, %s, that can ask its user', (kind, generation) => {
  let workspace: Workspace;
  let host: Host;
  let answer: ElicitationAnswer;
  const asked: ElicitationParams[] = [];
  const completed: string[] = [];

  beforeAll(async () => {
    workspace = await Workspace.create({ mode: 'discovery', mcpServers });
    await workspace.json('sync');
    const elicit = (params: ElicitationParams) => {
      asked.push(params);
      return answer;
    };
    ({ host } = await workspace.serve(kind, generation, {
      elicit,
      onElicitationComplete: (id) => void completed.push(id),
    }));
  });
  afterAll(() => workspace.remove());

  const call = (name: string, args: object = {}) => {
    asked.length = 0;
    return host.call('call_tool', { name, arguments: args });
  };

  it.each(['everything', 'everything_http'])('is asked by %s', async (server) => {
    answer = { action: 'accept', content: { name: 'Ada' } };
    expect(JSON.stringify(await call(`${server}__trigger-elicitation-request`))).toContain('Name: Ada');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toMatch(
      new RegExp(`^Server "${server}" \\(tool "trigger-elicitation-request"\\) asks: Please provide`),
    );
    expect(asked[0]?.requestedSchema).toMatchObject({
      properties: { legacyTitledEnum: { enumNames: ['Cats', 'Dogs', 'Birds', 'Fish', 'Reptiles'] } },
    });
    answer = { action: 'decline' };
    expect(JSON.stringify(await call(`${server}__trigger-elicitation-request`))).toContain('User declined');
  });

  it.each(['everything', 'everything_http'])('is shown the URL of %s whole', async (server) => {
    answer = { action: 'accept' };
    const url = 'https://example.org/login?state=a%20b&x=1';
    expect(JSON.stringify(await call(`${server}__trigger-url-elicitation`, { url }))).toContain('User completed');
    expect(asked[0]).toMatchObject({ mode: 'url', url });
    // Refused until the user has been elsewhere first.
    await call(`${server}__trigger-url-elicitation`, { url, errorPath: true });
    expect(asked.map((params) => params.url)).toEqual(['https://modelcontextprotocol.io', url]);
  });

  it.each(['modern', 'modern_http'])('is asked by %s, and the state goes back', async (server) => {
    answer = { action: 'accept', content: { name: 'Ada' } };
    expect(JSON.parse(textOf(await call(`${server}__ask`)))).toEqual({ answer, stateIsBack: true });
    expect(asked[0]?.message).toBe(`Server "${server}" (tool "ask") asks: What is your name?`);
    expect(JSON.parse(textOf(await call(`${server}__ask_plainly`)))).toEqual({ answer, state: 'none' });
    expect(JSON.parse(textOf(await call(`${server}__ask_twice`)))).toEqual({ state: 'two accept', second: answer });
    expect(asked).toHaveLength(2);
    expect(textOf(await call(`${server}__again`))).toBe('came back with later');
    expect(JSON.parse(textOf(await call(`${server}__capabilities`)))).toEqual({ elicitation: { form: {}, url: {} } });
  });

  it('is asked more than once, and more than one thing', async () => {
    answer = { action: 'accept', content: { name: 'Ada' } };
    expect(JSON.parse(textOf(await call('old__ask_twice')))).toEqual({ first: answer, second: answer });
    expect(JSON.parse(textOf(await call('old__ask_two')))).toEqual([answer, answer]);
    expect(asked.map(({ message }) => message.split(': ')[1]).sort()).toEqual(['One?', 'Two?']);
  });

  it('hears when what a URL was for is done, where its revision has a notice for that', async () => {
    answer = { action: 'accept' };
    const elicitationId = 'errand-1';
    await call('old__ask_url', { elicitationId });
    expect(asked[0]?.mode).toBe('url');
    if (generation !== 'v2 modern') expect(asked[0]?.elicitationId).toBe(elicitationId);
    await call('old__complete', { elicitationId: 'of somebody else' });
    await call('old__complete', { elicitationId });
    if (generation !== 'v2 modern') await expect.poll(() => completed, { timeout: 15_000 }).not.toEqual([]);
    expect(completed).toEqual(generation === 'v2 modern' ? [] : [elicitationId]);
  });

  it('hears when its server ends while it is asked', async () => {
    answer = { action: 'accept', content: { name: 'Ada' } };
    const result = await call('old__crash');
    // The answer may also have come in time.
    expect(textOf(result)).toMatch(/may have run|Ada/);
  });
});

describe.each(cases)('a host over %s, %s, that cannot ask its user', (kind, generation) => {
  let workspace: Workspace;
  let host: Host;

  beforeAll(async () => {
    workspace = await Workspace.create({ mode: 'discovery', mcpServers });
    await workspace.json('sync');
    ({ host } = await workspace.serve(kind, generation));
  });
  afterAll(() => workspace.remove());

  it.each(['everything', 'everything_http'])('gets what %s makes of it', async (server) => {
    const name = `${server}__trigger-elicitation-request`;
    const result = await host.call('call_tool', { name, arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/cannot be shown a form/);
  });

  it.each(['modern__ask', 'modern_http__ask_plainly'])('is told so instead of a result of %s', async (name) => {
    const call = host.call('call_tool', { name, arguments: {} });
    if (generation === 'v2 modern') {
      const data = { requiredCapabilities: { elicitation: { form: {} } } };
      await expect(call).rejects.toMatchObject({ code: -32021, data });
    } else {
      expect(textOf(await call)).toMatch(/do(es)? not declare/);
    }
  });

  it('has the server told that it can do nothing of the kind', async () => {
    const result = await host.call('call_tool', { name: 'modern__capabilities', arguments: {} });
    expect(JSON.parse(textOf(result))).toEqual({});
  });
});

describe('what servers list because users can be asked', () => {
  it('is in the catalog, and nothing that needs more', async () => {
    const workspace = await Workspace.create({ mcpServers: { everything: node(everything) } });
    try {
      await workspace.json('sync');
      const tools = await workspace.json<{ tool: string; status: string }[]>('list', 'tools');
      const names = tools.filter(({ status }) => status !== 'set_aside').map(({ tool }) => tool);
      expect(names).toEqual(expect.arrayContaining(['trigger-elicitation-request', 'trigger-url-elicitation']));
      for (const name of ['get-roots-list', 'trigger-sampling-request', 'trigger-elicitation-request-async'])
        expect(tools.map(({ tool }) => tool)).not.toContain(name);
    } finally {
      await workspace.remove();
    }
  });
});
