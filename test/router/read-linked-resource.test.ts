import { describe, expect, it } from 'vitest';
import { rawTool, setUp } from './harness.ts';

const link = (uri: string) => ({ type: 'resource_link', uri, name: 'a' });
const embedded = (uri: string) => ({ type: 'resource', resource: { uri, text: 'b' } });
const tools = { one: [rawTool('make')], two: [rawTool('make')] };

function linking(blocks: Record<string, object[]>) {
  const set = setUp({ tools });
  set.caller.answer = (tool) => ({ content: (blocks[tool.serverId] ?? []) as never });
  const call = (server: string, principal?: string) =>
    set.router.callTool(
      'call_tool',
      { name: `${server}__make`, arguments: {} },
      principal === undefined ? {} : { principal },
    );
  return { ...set, call };
}

describe('resources that results named', () => {
  it('are read from the server whose result it was, cleaned like a result', async () => {
    const { router, caller, call } = linking({ one: [link('file:///a')], two: [embedded('file:///b')] });
    await call('one');
    await call('two');
    expect(await router.readResource('file:///a')).toEqual({ contents: [{ uri: 'file:///a', text: 'from one' }] });
    await router.readResource('file:///b');
    expect(caller.reads).toEqual([
      { serverId: 'one', uri: 'file:///a' },
      { serverId: 'two', uri: 'file:///b' },
    ]);
  });

  it('are the only ones that can be read', async () => {
    const { router, caller, call } = linking({ one: [link('file:///a'), { type: 'text', text: 'file:///c' }] });
    await call('one');
    for (const uri of ['file:///c', 'file:///A', 'file:///a/', '', '__proto__']) {
      await expect(router.readResource(uri)).rejects.toMatchObject({ code: 'unknown_resource' });
    }
    expect(caller.reads).toEqual([]);
  });

  it('are not read when several servers named them', async () => {
    const { router, caller, call } = linking({ one: [link('file:///a')], two: [link('file:///a')] });
    await call('one');
    await router.readResource('file:///a');
    await call('two');
    await expect(router.readResource('file:///a')).rejects.toMatchObject({
      code: 'ambiguous_resource',
      message: expect.stringContaining('one, two'),
    });
    expect(caller.reads).toHaveLength(1);
  });

  it('belong to the caller who got them', async () => {
    const { router, call } = linking({ one: [link('file:///a')] });
    await call('one', 'ada');
    await expect(router.readResource('file:///a', { principal: 'ada' })).resolves.toHaveProperty('contents');
    await expect(router.readResource('file:///a', { principal: 'eve' })).rejects.toMatchObject({
      code: 'unknown_resource',
    });
    await expect(router.readResource('file:///a')).rejects.toMatchObject({ code: 'unknown_resource' });
  });
});
