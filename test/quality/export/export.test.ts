import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../../src/app/index.ts';
import type { Toolcrib, ViewDifference } from '../../../src/model/index.ts';
import { compareViews } from '../../../src/quality/index.ts';
import { servers } from '../collisions/tools.ts';

function open(mode: 'auto' | 'direct' | 'discovery'): Toolcrib {
  const crib = createToolcrib({ catalog: ':memory:', embedding: 'none', mode });
  onTestFinished(() => crib.close());
  for (const [server, tools] of Object.entries(servers)) crib.ingest(server, tools);
  return crib;
}

describe('exportView', () => {
  it.each(['direct', 'discovery'] as const)(
    'is byte for byte what a host gets in %s mode, whatever mode is in force',
    async (mode) => {
      const listed = JSON.stringify(open(mode).tools());
      for (const other of ['direct', 'discovery'] as const) {
        const view = await open(other).quality().exportView({ mode });
        expect(JSON.stringify(view.tools)).toBe(listed);
        expect(view).toMatchObject({ mode, tokenizer: 'o200k_base' });
        expect(view.tokens).toBeGreaterThan(100);
        expect(view.instructions).not.toBe('');
      }
    },
  );

  it('takes the mode in force by default, and changes nothing about it', async () => {
    const crib = open('direct');
    expect((await crib.quality().exportView({ mode: 'discovery' })).tools).toHaveLength(3);
    expect((await crib.quality().exportView()).mode).toBe('direct');
    expect(crib.tools().length).toBeGreaterThan(30);
  });

  it('keeps to one server in direct mode, and adds what describe_tool answers', async () => {
    const crib = open('direct');
    const view = await crib.quality().exportView({ server: 'robot', describe: true });
    expect(view.tools.map(({ name }) => name)).toEqual(['robot__click', 'robot__fill', 'robot__take_screenshot']);
    expect(view.descriptions?.robot__fill).toBe(crib.describe('robot__fill').text);
    await expect(crib.quality().exportView({ server: 'nowhere' })).rejects.toMatchObject({ code: 'server_unknown' });
  });
});

describe('compareViews', () => {
  it('tells tools that came and went, fields that changed, and tokens', async () => {
    const crib = open('direct');
    const before = JSON.parse(JSON.stringify(await crib.quality().exportView()));
    const [click, ...rest] = servers.robot ?? [];
    crib.ingest('robot', [
      { ...click, description: 'Presses an element of the page.' },
      ...rest.slice(1),
      { name: 'wait', inputSchema: { type: 'object' } },
    ]);
    const after = await crib.quality().exportView();
    const difference: ViewDifference = await compareViews(before, after);
    expect(difference).toMatchObject({
      added: ['robot__wait'],
      removed: ['robot__take_screenshot'],
      changed: [
        {
          name: 'robot__click',
          changes: [{ path: '/description', kind: 'changed', before: 'Clicks an element of the page.' }],
        },
      ],
    });
    expect(difference.tokens.before).toBeGreaterThan(difference.tokens.after);
    expect(await compareViews(after, after)).toMatchObject({ added: [], removed: [], changed: [] });
  });

  it.each([[null], [[]], [{ tools: 'x' }], [{ tools: [{ name: 3 }] }]])('refuses %j', async (view) => {
    await expect(compareViews({ tools: [] }, view)).rejects.toThrow('The second of the two is no export of toolcrib.');
  });
});
