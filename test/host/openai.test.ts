import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, startScriptedModel, type Turn } from '../../examples/scripted-model.ts';
import { openaiTools } from '../../src/host/openai.ts';
import type { ToolSource } from '../../src/index.ts';
import { blocksServer, create, filled } from './set-up.ts';

let model: ScriptedModel | undefined;
afterEach(() => model?.close());

async function clientOf(turns: Turn[]): Promise<OpenAI> {
  model = await startScriptedModel(turns);
  return new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'scripted', maxRetries: 0 });
}

/** The outputs of each turn, by the real SDK against a scripted endpoint. */
async function overResponses(source: ToolSource, turns: Turn[]): Promise<OpenAI.Responses.ResponseInput[]> {
  const client = await clientOf(turns);
  const { tools, dispatch } = openaiTools(source).responses;
  const outputs: OpenAI.Responses.ResponseInput[] = [];
  let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Go.' }];
  while (input.length > 0) {
    const answer = await client.responses.create({ model: 'scripted', tools: tools(), input });
    input = await dispatch(answer.output);
    outputs.push(input);
  }
  return outputs;
}

async function overChat(source: ToolSource, turns: Turn[]): Promise<OpenAI.ChatCompletionMessageParam[]> {
  const client = await clientOf(turns);
  const { tools, dispatch } = openaiTools(source).chat;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }];
  for (;;) {
    const answer = await client.chat.completions.create({ model: 'scripted', tools: tools(), messages });
    const message = answer.choices[0]?.message;
    const results = await dispatch(message?.tool_calls);
    if (message === undefined || results.length === 0) return messages;
    messages.push(message, ...results);
  }
}

async function blocks(options = {}) {
  const crib = create({ mcpServers: { blocks: blocksServer }, ...options });
  await crib.sync();
  return crib;
}

const callTool = (name: string, args: unknown = {}): Turn => ({
  calls: [{ name: 'call_tool', input: { name, arguments: args } }],
});
const done: Turn = { text: 'Done.' };

describe('the tool list', () => {
  it('is what both APIs take', () => {
    const { responses, chat } = openaiTools(filled());
    const functions: OpenAI.Responses.FunctionTool[] = responses.tools();
    expect(functions.map(({ name, strict }) => [name, strict])).toEqual([
      ['search_tools', false],
      ['describe_tool', false],
      ['call_tool', false],
    ]);
    const chatFunctions: OpenAI.ChatCompletionFunctionTool[] = chat.tools();
    expect(chatFunctions.map((tool) => tool.function.name)).toEqual(functions.map(({ name }) => name));
    expect(chatFunctions[0]?.function.parameters).toEqual(functions[0]?.parameters);
  });
});

it('cuts descriptions that are longer than the API takes', () => {
  const crib = create({ mode: 'direct' });
  crib.ingest('s', [{ name: 'wordy', description: 'word '.repeat(500), inputSchema: { type: 'object' } }]);
  const { responses, chat } = openaiTools(crib);
  expect(responses.tools()[0]?.description).toMatch(/^word .{900,1018}…$/);
  expect(chat.tools()[0]?.function.description).toBe(responses.tools()[0]?.description);
});

describe('the Responses API', () => {
  it('searches, calls, and ends with words', async () => {
    const search = { calls: [{ name: 'search_tools', input: { query: 'give odd' } }] };
    const outputs = await overResponses(await blocks(), [search, callTool('blocks__odd', { $filter: 'x' }), done]);
    expect(JSON.stringify(outputs[0])).toContain('blocks__odd');
    expect(outputs.slice(1)).toEqual([
      [{ type: 'function_call_output', call_id: 'call_2_0', output: '{"$filter":"x"}' }],
      [],
    ]);
  });

  it('is given images and files as such', async () => {
    const crib = await blocks();
    const [[picture], [all]] = [
      await overResponses(crib, [callTool('blocks__picture'), done]),
      await overResponses(crib, [callTool('blocks__everything'), done]),
    ];
    expect(picture?.[0]).toMatchObject({
      output: [
        { type: 'input_text', text: 'Here it is.' },
        { type: 'input_image', image_url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) },
      ],
    });
    expect(all?.[0]).toMatchObject({
      output: expect.arrayContaining([
        { type: 'input_file', filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      ]),
    });
  });

  it('is told of errors in words, since it has no mark for them', async () => {
    const crib = await blocks();
    const [failed] = await overResponses(crib, [callTool('blocks__nothing', { a: 1 }), done]);
    expect(failed?.[0]).toMatchObject({ output: expect.not.stringContaining('error') });
    const [unknown] = await overResponses(crib, [callTool('blocks__missing'), done]);
    expect(unknown?.[0]).toMatchObject({ output: expect.stringMatching(/^unknown_tool: /) });
    const [broken] = await overResponses(crib, [callTool('blocks__failing'), done]);
    expect(JSON.stringify(broken)).toContain('The tool reports an error');
  });
});

describe('the Chat Completions API', () => {
  it('searches, calls, and gets images in a message of the user', async () => {
    const messages = await overChat(await blocks(), [callTool('blocks__picture'), done]);
    expect(messages.slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'call_1_0',
        content: 'Here it is.\nThe image follows in the next message of the user.',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the tool call call_1_0:' },
          { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png/) } },
        ],
      },
    ]);
  });

  it('answers all calls of a message before anything else, in their order', async () => {
    const calls = ['blocks__picture', 'blocks__structured'].map((name) => ({ name: 'call_tool', input: { name } }));
    const messages = await overChat(await blocks(), [{ calls }, done]);
    expect(messages.slice(2).map(({ role }) => role)).toEqual(['tool', 'tool', 'user']);
  });

  it('does nothing where the message has no calls', async () => {
    expect(await openaiTools(filled()).chat.dispatch(undefined)).toEqual([]);
    expect(await openaiTools(filled()).chat.dispatch(null)).toEqual([]);
  });
});

describe('arguments that are no JSON', () => {
  it.each([
    ['{"name": "blocks__odd", "arguments": {"$filter": "x'],
    ['{"name": "blocks__odd",}'],
    ['name=blocks__odd'],
    ['{"a": "line\nbreak"}'],
  ])('are answered with what to mend, and nothing is run: %s', async (input) => {
    const crib = await blocks();
    const turns = [{ calls: [{ name: 'call_tool', input }] }, done];
    const [[output], messages] = [(await overResponses(crib, turns))[0] ?? [], await overChat(crib, turns)];
    expect(output).toMatchObject({ output: expect.stringMatching(/^invalid_arguments: .*not valid JSON.*Call again/) });
    expect(messages[2]).toMatchObject({ role: 'tool', content: expect.stringMatching(/one complete JSON object/) });
    expect(crib.auditLog().filter(({ kind }) => kind === 'call')).toEqual([]);
  });

  it('are not those that are left out', async () => {
    const [output] = await openaiTools(await blocks()).responses.dispatch([
      { type: 'function_call', call_id: 'a', name: 'blocks__nothing', arguments: '' } as { type: string },
    ]);
    expect(output?.output).toBe('The tool ran and returned nothing.');
  });
});

describe('names and parameters that the API refuses', () => {
  const long = `look_up_${'a_very_long_subject_'.repeat(4)}`;
  const tools = ['one', 'two'].map((end) => ({
    name: long + end,
    inputSchema: {
      type: 'object',
      properties: { '@id': { type: 'string' }, id: { type: 'string' } },
      required: ['@id'],
    },
  }));

  it('are cut and renamed, each to one of its own', () => {
    const crib = create({ mode: 'direct', nameMaxLength: 128 });
    crib.ingest('s', tools);
    const listed = openaiTools(crib).responses.tools();
    const names = listed.map(({ name }) => name);
    expect(names.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(3);
    const { properties = {}, required } = (listed[0]?.parameters ?? {}) as { properties?: object; required?: string[] };
    expect(Object.keys(properties)).toEqual([expect.stringMatching(/^id_[0-9a-f]{8}$/), 'id']);
    expect(required).toEqual([Object.keys(properties)[0]]);
  });

  it('come back as what they were', async () => {
    const crib = create({ mode: 'direct', nameMaxLength: 128 });
    crib.ingest('s', tools);
    const calls: unknown[][] = [];
    const source: ToolSource = {
      tools: (options) => crib.tools(options),
      listTools: (options) => crib.listTools(options),
      testPolicy: (name) => crib.testPolicy(name),
      call: async (...call) => {
        calls.push(call.slice(0, 2));
        return { content: [] };
      },
    };
    const { tools: list, dispatch } = openaiTools(source).responses;
    const [first] = list();
    const { properties = {} } = (first?.parameters ?? {}) as { properties?: object };
    const [renamed = ''] = Object.keys(properties);
    const text = JSON.stringify({ [renamed]: 'a', id: 'b', other: 'c' });
    await dispatch([{ type: 'function_call', call_id: 'a', name: first?.name, arguments: text } as { type: string }]);
    expect(calls).toEqual([[`s__${long}one`, { '@id': 'a', id: 'b', other: 'c' }]]);
  });
});

it('takes nothing but a toolcrib or its conversation', () => {
  expect(() => openaiTools({} as ToolSource)).toThrow(expect.objectContaining({ code: 'usage_invalid' }));
});
