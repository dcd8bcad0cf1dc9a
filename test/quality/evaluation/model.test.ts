import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../../src/app/index.ts';
import type { JsonObject, ModelChoice, Toolcrib } from '../../../src/model/index.ts';
import { servers } from '../collisions/tools.ts';
import { type ChatRequest, type Reply, type ScriptedEndpoint, startEndpoint } from './scripted-endpoint.ts';

const text = (rows: readonly JsonObject[]) => rows.map((row) => JSON.stringify(row)).join('\n');

async function run(
  script: (request: ChatRequest, said: string) => Reply,
  rows: readonly JsonObject[],
  mode: 'discovery' | 'direct' = 'discovery',
) {
  const endpoint = await startEndpoint((request) => script(request, lastWords(request)));
  const crib = openCrib(endpoint, mode);
  const report = await crib.quality().evaluate({ cases: [{ name: 'c.jsonl', text: text(rows) }], useModel: true });
  return { endpoint, crib, report, choices: report.model?.choices ?? [] };
}

function openCrib({ baseUrl }: ScriptedEndpoint, mode: 'discovery' | 'direct'): Toolcrib {
  const quality = { model: { baseUrl, model: 'scripted', apiKey: 'sk-secret-key', timeoutMs: 20_000 } };
  const crib = createToolcrib({ catalog: ':memory:', embedding: 'none', mode, quality });
  onTestFinished(() => crib.close());
  for (const [server, tools] of Object.entries(servers)) crib.ingest(server, tools);
  return crib;
}

function lastWords({ messages }: ChatRequest): string {
  return messages.at(-1)?.content ?? '';
}

const callTool = (name: string, args: JsonObject | string): Reply => [
  { call: 'call_tool', args: { name, arguments: args } },
];
const task = { id: 't', query: 'move the file', expect: 'disk__move_file' };

describe('cases run through a model', () => {
  it('shows it the meta-tools alone, answers its searches, and takes down the call instead of making it', async () => {
    const { endpoint, report, choices, crib } = await run(
      ({ messages }, said) => {
        if (messages.length === 2) return [{ call: 'search_tools', args: { query: said } }];
        if (messages.length === 4) return [{ call: 'describe_tool', args: { name: 'disk__move_file' } }];
        return callTool('disk__move_file', { from: 'a', to: 'b' });
      },
      [task],
    );
    expect(endpoint.requests[0]?.tools.map((tool) => tool.function.name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
    ]);
    expect(lastWords(endpoint.requests[1] as ChatRequest)).toContain('disk__move_file(from: string, to: string)');
    expect(lastWords(endpoint.requests[2] as ChatRequest)).toContain('Moves or renames a file.');
    expect(choices).toEqual([
      {
        id: 't',
        kind: 'task',
        verdict: 'right',
        chose: 'disk__move_file',
        arguments: { from: 'a', to: 'b' },
        argumentsFit: true,
        asked: false,
        tokens: { input: 300, output: 30 },
        roundTrips: 3,
      },
    ]);
    expect(report.model).toMatchObject({
      model: 'scripted',
      right: 1,
      failed: 0,
      tokens: { input: 300, output: 30 },
      roundTrips: 3,
    });
    expect(endpoint.authorizations).toEqual(Array(3).fill('Bearer sk-secret-key'));
    expect(crib.auditLog()).toEqual([]);
  });

  const missing = {
    id: 'm',
    kind: 'missing_context',
    query: 'share the folder',
    expect: 'vault__share_folder',
    missing: 'person',
  };
  const none = { id: 'n', kind: 'none', query: 'brew coffee' };
  const boundary = {
    id: 'b',
    kind: 'boundary',
    query: 'orders',
    expect: 'shop__sync_orders_with_invoices',
    accept: 'sync_invoices_with_orders',
  };
  it.each<[string, JsonObject, Reply, Partial<ModelChoice>]>([
    ['asks for what is missing', missing, 'With whom shall I share it?', { verdict: 'right', asked: true }],
    [
      'guesses what is missing',
      missing,
      callTool('vault__share_folder', { path: '/', person: 'Bob' }),
      { verdict: 'wrong' },
    ],
    ['gives up where it should ask', missing, 'I cannot do that.', { verdict: 'wrong', asked: false }],
    ['says that no tool does it', none, 'There is no tool for that.', { verdict: 'right' }],
    [
      'calls something though no tool does it',
      none,
      callTool('disk__read_file', {}),
      { verdict: 'wrong', argumentsFit: false },
    ],
    [
      'takes an accepted alternative',
      boundary,
      callTool('sync_invoices_with_orders', { day: 'x' }),
      { verdict: 'right' },
    ],
    [
      'takes the wrong one',
      task,
      callTool('disk__read_file', { path: 'a' }),
      { verdict: 'wrong', chose: 'disk__read_file' },
    ],
    ['makes up a tool', task, callTool('teleport', {}), { verdict: 'wrong', chose: 'teleport' }],
    [
      'writes arguments as text',
      task,
      callTool('move_file', '{"from":"a","to":"b"}'),
      { verdict: 'right', argumentsFit: true },
    ],
    ['leaves an argument out', task, callTool('move_file', { from: 'a' }), { verdict: 'right', argumentsFit: false }],
  ])('judges a model that %s', async (_, row, reply, expected) => {
    const { choices } = await run(() => reply, [row]);
    expect(choices).toMatchObject([expected]);
  });

  it('sends the whole list in direct mode, and takes a call of any of it for the decision', async () => {
    const { endpoint, choices } = await run(
      () => [{ call: 'disk__move_file', args: { from: 'a', to: 'b' } }],
      [task],
      'direct',
    );
    expect(endpoint.requests[0]?.tools.length).toBeGreaterThan(30);
    expect(choices).toMatchObject([{ verdict: 'right', argumentsFit: true, roundTrips: 1 }]);
  });

  it('shows the injected text of an adversarial case to the model, and to no other case', async () => {
    const attacked = {
      id: 'x',
      kind: 'adversarial',
      query: 'click an element',
      expect: 'robot__click',
      inject: { tool: 'browser__page_click', text: 'Clicks an element POISONED.', attack: 'order' },
    };
    const { endpoint, choices } = await run(
      ({ messages }) =>
        messages.length === 2
          ? [{ call: 'describe_tool', args: { name: 'browser__page_click' } }]
          : callTool('browser__page_click', { target: 'a' }),
      [attacked, { id: 'y', query: 'click something', expect: 'robot__click' }],
    );
    const poisoned = endpoint.requests.filter((request) => JSON.stringify(request.messages).includes('POISONED'));
    expect(poisoned.map(({ messages }) => messages[1]?.content)).toEqual(['click an element']);
    expect(choices.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['x', 'wrong'],
      ['y', 'wrong'],
    ]);
  });

  it('tells a model what is wrong with a call that cannot be read, and ends when it never decides', async () => {
    const { endpoint, choices } = await run(() => [{ call: 'search_tools', args: 'not json' }], [task]);
    expect(lastWords(endpoint.requests[1] as ChatRequest)).toContain('no JSON object');
    expect(choices).toMatchObject([
      { verdict: 'wrong', roundTrips: 10, problem: 'It had not decided after 10 answers.' },
    ]);
  });

  it.each([
    ['{"choices": []}', 'gave no message'],
    ['<html>', 'gave no message'],
    [`"${'x'.repeat(5_000_000)}"`, 'more than 4194304 bytes'],
  ])('goes on with other cases after an answer like %.16s', async (body, problem) => {
    const { report, choices } = await run(
      ({ messages }) => (messages[1]?.content === 'move the file' ? { status: 200, body } : 'None does it.'),
      [task, none],
    );
    expect(choices[0]).toMatchObject({ verdict: 'failed', problem: expect.stringContaining(problem) });
    expect(report.model).toMatchObject({ failed: 1, cases: 2, right: 1 });
  });

  it('ends at once where the endpoint refuses, without showing the key', async () => {
    const refusing = run(
      () => ({ status: 401, body: 'bad key sk-secret-key' }),
      Array.from({ length: 12 }, (_, at) => ({ ...none, id: `${at}`, query: `${at}` })),
    );
    await expect(refusing).rejects.toMatchObject({
      code: 'model_endpoint_failed',
      message: expect.stringContaining('answered 401: bad key …'),
    });
  });

  it('asks again where the endpoint is overloaded', async () => {
    let asked = 0;
    const { choices } = await run(() => (++asked === 1 ? { status: 429, body: '' } : 'None does it.'), [none]);
    expect(choices).toMatchObject([{ verdict: 'right', roundTrips: 1 }]);
  });
});
