import { describe, expect, it } from 'vitest';
import { rawTool, setUp } from './harness.ts';

const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const tools = { srv: [rawTool('make', {}, [], { outputSchema }), rawTool('plain')] };
const make = { name: 'srv__make', arguments: {} };

describe('the output schema of a tool that call_tool runs', () => {
  it.each([
    ['does not fit', { content: [], structuredContent: { id: 'one' }, _meta: { 'example.org/cost': 3 } }],
    ['lacks the structured content', { content: [{ type: 'text', text: 'made' }] }],
  ])('is checked: a result that %s passes whole, with a warning', async (problem, answer) => {
    const { router, caller, logger } = setUp({ tools });
    caller.answer = () => answer;
    const { _meta, ...result } = await router.callTool('call_tool', make);
    const { _meta: sentMeta, ...sent } = answer as typeof answer & { _meta?: object };
    expect(result).toEqual(sent);
    expect(_meta).toEqual({
      ...sentMeta,
      'dev.toolcrib/outputSchema': { tool: 'srv__make', problem: expect.stringContaining(problem) },
    });
    expect(logger.lines.filter((line) => line.includes(problem))).toHaveLength(1);
  });

  it('says nothing of results that fit, of errors, and of tools without one', async () => {
    const { router, caller, logger } = setUp({ tools });
    caller.answer = () => ({ content: [], structuredContent: { id: 1 } });
    expect(await router.callTool('call_tool', make)).toEqual({ content: [], structuredContent: { id: 1 } });
    caller.answer = () => ({ content: [], isError: true });
    expect(await router.callTool('call_tool', make)).toEqual({ content: [], isError: true });
    caller.answer = () => ({ content: [], structuredContent: [1, 'a', null] });
    expect(await router.callTool('call_tool', { name: 'srv__plain' })).toEqual({
      content: [],
      structuredContent: [1, 'a', null],
    });
    expect(logger.lines.filter((line) => line.includes('result'))).toEqual([]);
  });

  it('is not passed over where the config is strict', async () => {
    const { router, caller } = setUp({ tools, strictOutput: true });
    caller.answer = () => ({ content: [], structuredContent: { id: 'one' } });
    const result = await router.callTool('call_tool', make);
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text' }, { type: 'text', text: '{"id":"one"}' }],
    });
    expect(result.structuredContent).toBeUndefined();
  });

  it('cannot be passed off as kept by the server itself', async () => {
    const { router, caller } = setUp({ tools });
    caller.answer = () => ({ content: [], structuredContent: { id: 1 }, _meta: { 'dev.toolcrib/outputSchema': 'x' } });
    expect(await router.callTool('call_tool', make)).toEqual({ content: [], structuredContent: { id: 1 } });
  });
});
