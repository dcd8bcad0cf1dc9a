import { afterEach, describe, expect, it } from 'vitest';
import {
  type CallToolResult,
  type CreateOptions,
  createToolcrib,
  type ElicitationRequest,
  type Toolcrib,
} from '../../src/index.ts';
import { everything, fixtureServer } from '../fixtures/servers/start.ts';

const node = (...args: string[]) => ({ command: process.execPath, args });
const mcpServers = {
  modern: node(fixtureServer('asking-modern.mjs')),
  old: node(fixtureServer('asking-legacy.mjs')),
  everything: node(everything),
};

const open = new Set<Toolcrib>();
afterEach(async () => {
  for (const crib of open) await crib.close();
  open.clear();
});

async function create(options: CreateOptions = {}): Promise<Toolcrib> {
  const crib = createToolcrib({ mcpServers, embedding: 'none', ...options });
  open.add(crib);
  await crib.sync();
  return crib;
}

const answer = { action: 'accept', content: { name: 'Ada' } } as const;

describe('a program that calls tools', () => {
  it('answers questions of either era in process, for all calls or for one', async () => {
    const asked: ElicitationRequest[] = [];
    const onElicitation = async (request: ElicitationRequest) => {
      asked.push(request);
      return answer;
    };
    const crib = await create({ onElicitation });
    expect(textOf(await crib.call('modern__ask'))).toContain('"stateIsBack":true');
    expect(textOf(await crib.call('old__ask_twice'))).toContain('"second":{"action":"accept"');
    expect(asked.map(({ server, tool, params }) => [server, tool, params.message])).toEqual([
      ['modern', 'modern__ask', 'Server "modern" (tool "ask") asks: What is your name?'],
      ['old', 'old__ask_twice', 'Server "old" (tool "ask_twice") asks: First?'],
      ['old', 'old__ask_twice', 'Server "old" (tool "ask_twice") asks: Second?'],
    ]);
    const decline = { onElicitation: async () => ({ action: 'decline' as const }) };
    expect(textOf(await crib.call('everything__trigger-elicitation-request', {}, decline))).toContain('declined');
    expect(asked).toHaveLength(3);
  });

  it('is told what was asked where it has no answers', async () => {
    const crib = await create();
    for (const name of ['old__ask', 'everything__trigger-elicitation-request']) {
      const result = await crib.call(name);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/Nobody was asked.*(What is your name|Please provide)/s);
    }
    const result = await crib.call('modern__ask');
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolcrib/error': { reason: 'input_unavailable' } } });
    expect(textOf(result)).toContain('Tell the user what was asked');
  });

  it('calls for several people', async () => {
    const crib = await create({ onElicitation: async () => answer });
    await crib.call('old__pid');
    const waiting = crib.call('old__wait', { ms: 1_500 }, { principal: 'bob' });
    await new Promise((wait) => setTimeout(wait, 200));
    expect(textOf(await crib.call('old__ask', {}, { principal: 'ada' }))).toBe('{"answer":{"action":"decline"}}');
    await waiting;
  });

  it('gives a secret of its own, which must be long enough', () => {
    expect(() => createToolcrib({ stateSecret: new Uint8Array(31) })).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('32 bytes') }),
    );
    open.add(createToolcrib({ stateSecret: new Uint8Array(32), embedding: 'none' }));
  });
});

function textOf({ content }: CallToolResult): string {
  return content.map(({ text }) => String(text)).join('\n');
}
