import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, startScriptedModel, type Turn } from '../../examples/scripted-model.ts';
import { type AnthropicOptions, anthropicTools } from '../../src/host/anthropic.ts';
import type { ToolSource } from '../../src/index.ts';
import { blocksServer, create, filled } from './set-up.ts';

let model: ScriptedModel | undefined;
afterEach(() => model?.close());

/** The loop of a host, with the real SDK against a scripted endpoint. */
async function converse(source: ToolSource, turns: Turn[], options?: AnthropicOptions) {
  model = await startScriptedModel(turns);
  const client = new Anthropic({ baseURL: model.url, apiKey: 'scripted', maxRetries: 0 });
  const tools = anthropicTools(source, options);
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
  for (;;) {
    const answer = await client.messages.create({
      model: 'scripted',
      max_tokens: 100,
      tools: tools.tools(messages),
      messages,
    });
    messages.push({ role: 'assistant', content: answer.content });
    const results = await tools.dispatch(answer.content);
    if (results.length === 0) return { messages, requests: model.requests };
    messages.push({ role: 'user', content: results });
  }
}

/** The tool results of the last user message. */
function resultsIn(messages: Anthropic.MessageParam[]): Anthropic.ToolResultBlockParam[] {
  return (messages.findLast(({ role }) => role === 'user')?.content ?? []) as Anthropic.ToolResultBlockParam[];
}

async function callOne(name: string, args: unknown = {}) {
  const crib = create({ mcpServers: { blocks: blocksServer } });
  await crib.sync();
  const call = { name: 'call_tool', input: { name, arguments: args } };
  const { messages } = await converse(crib, [{ calls: [call] }, { text: 'Done.' }]);
  return resultsIn(messages)[0];
}

describe('the tool list', () => {
  it('is what the API takes, and ends with a mark for the cache', () => {
    const tools: Anthropic.Tool[] = anthropicTools(filled()).tools();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    expect(tools.map(({ cache_control }) => cache_control)).toEqual([undefined, undefined, { type: 'ephemeral' }]);
    expect(tools[2]?.input_schema).toMatchObject({ type: 'object', required: ['name', 'arguments'] });
  });

  it('takes another mark, or none', () => {
    const hour = { type: 'ephemeral', ttl: '1h' } as const;
    expect(anthropicTools(filled(), { cacheControl: hour }).tools()[2]?.cache_control).toEqual(hour);
    expect(JSON.stringify(anthropicTools(filled(), { cacheControl: false }).tools())).not.toContain('cache_control');
  });
});

describe('a conversation', () => {
  it('searches, calls, and ends with words', async () => {
    const crib = create({ mcpServers: { blocks: blocksServer } });
    await crib.sync();
    const { messages, requests } = await converse(crib, [
      { calls: [{ name: 'search_tools', input: { query: 'give structured' } }] },
      { calls: [{ name: 'call_tool', input: { name: 'blocks__odd', arguments: { $filter: 'x' } } }] },
      { text: 'Done.' },
    ]);
    expect(JSON.stringify(messages[2])).toContain('blocks__structured');
    expect(resultsIn(messages)).toEqual([
      { type: 'tool_result', tool_use_id: 'call_2_0', content: [{ type: 'text', text: '{"$filter":"x"}' }] },
    ]);
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  });

  it('answers calls that come together in their order, and leaves those of the host alone', async () => {
    const tools = anthropicTools(filled(), { ownTools: ['mine'] });
    const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
    const results = await tools.dispatch([
      { type: 'text' },
      use('a', 'search_tools', { query: 'write note' }),
      use('b', 'mine', {}),
      use('c', 'describe_tool', { name: 'read_note' }),
    ]);
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(['a', 'c']);
  });

  it('tells the model what it got wrong, as an error', async () => {
    const tools = anthropicTools(filled());
    const inputs: [string, unknown, RegExp][] = [
      ['no_such_tool', {}, /unknown_tool.*search_tools/s],
      ['search_tools', '{"query":', /query/],
      ['call_tool', { name: 'notes__write_note', arguments: { text: 3 } }, /text: expected/],
      ['call_tool', null, /name/],
      ['search_tools', [], /query/],
    ];
    for (const [name, input, words] of inputs) {
      const [result] = await tools.dispatch([{ type: 'tool_use', id: 'x', name, input } as { type: string }]);
      expect(result?.is_error, name).toBe(true);
      expect(JSON.stringify(result?.content)).toMatch(words);
    }
  });
});

describe('results', () => {
  it('hold images', async () => {
    const result = await callOne('blocks__picture');
    expect(result?.content).toEqual([
      { type: 'text', text: 'Here it is.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: expect.stringMatching(/^iVBOR/) } },
    ]);
  });

  it('name in words what the API does not take, and hold no blank text', async () => {
    const content = (await callOne('blocks__everything'))?.content as { type: string; text?: string }[];
    expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'document', 'text']);
    expect(content.map(({ text = '' }) => text)).toEqual([
      'first',
      expect.stringMatching(/image content, image\/svg\+xml, .*cannot be shown/),
      expect.stringMatching(/audio content, audio\/wav/),
      'file:///a.txt:\nwords of a file',
      '',
      'Resource: c, file:///c.txt, A third file',
    ]);
  });

  it('hold structured content once', async () => {
    expect((await callOne('blocks__structured'))?.content).toEqual([
      { type: 'text', text: '2 found' },
      { type: 'text', text: '{"found":["a","b"]}' },
    ]);
    expect((await callOne('blocks__repeated'))?.content).toHaveLength(1);
    expect((await callOne('blocks__nothing'))?.content).toEqual([
      { type: 'text', text: 'The tool ran and returned nothing.' },
    ]);
  });

  it('are text alone where they are errors, which the API demands', async () => {
    const result = await callOne('blocks__failing');
    expect(result?.is_error).toBe(true);
    expect(result?.content).toEqual([
      { type: 'text', text: 'no such row' },
      { type: 'text', text: expect.stringContaining('image/png') },
    ]);
  });
});

describe('deferred tools', () => {
  const search = { calls: [{ name: 'search_tools', input: { query: 'give odd' } }] };
  const done = { text: 'Done.' };

  it('are found as references, defined from then on, and called by their own names', async () => {
    const crib = create({ mcpServers: { blocks: blocksServer } });
    await crib.sync();
    const call = { calls: [{ name: 'blocks__odd', input: { filter: 'x', top: 1 } }] };
    const { messages, requests } = await converse(crib, [search, call, done], { deferred: true });
    const [answer] = resultsIn(messages.slice(0, 3));
    const found = (answer?.content ?? []) as { type: string }[];
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(['tool_reference']));
    const tools = requests.map((request) => request.tools as Anthropic.Tool[]);
    expect(tools[0]?.every(({ defer_loading }) => defer_loading === undefined)).toBe(true);
    const odd = tools[1]?.find(({ name }) => name === 'blocks__odd');
    expect(odd).toMatchObject({ defer_loading: true, input_schema: { required: ['filter'] } });
    // The API refuses a mark for the cache on what is deferred, and a change of what stands before it costs the cache.
    expect(tools[1]?.filter(({ cache_control }) => cache_control).map(({ name }) => name)).toEqual(['call_tool']);
    expect(JSON.stringify(tools[1]?.slice(0, 3))).toBe(JSON.stringify(tools[0]));
    expect(JSON.stringify(tools[2])).toBe(JSON.stringify(tools[1]));
    expect(resultsIn(messages)[0]?.content).toEqual([{ type: 'text', text: '{"$filter":"x","top":1}' }]);
  });

  it('are answered in words where nothing is found', async () => {
    const crib = filled();
    const [result] = await anthropicTools(crib, { deferred: true }).dispatch([
      { type: 'tool_use', id: 'a', name: 'search_tools', input: { query: 'qqqq zzzz' } } as { type: string },
    ]);
    expect(JSON.stringify(result?.content)).toMatch(/No tool found/);
  });

  it('stay defined when they are gone, since old messages refer to them', () => {
    const crib = filled();
    const reference = (tool_name: string) => ({ type: 'tool_reference', tool_name });
    const content = [reference('notes__read_note'), reference('notes__gone'), reference('notes__read_note')];
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'words' }] },
    ];
    const tools = anthropicTools(crib, { deferred: true }).tools(messages).slice(3);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['notes__read_note', 'Reads a note of the notebook.'],
      ['notes__gone', 'This tool is not available any more.'],
    ]);
  });
});
