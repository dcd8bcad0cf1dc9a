import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ApprovalQuestion, HostEmbedding, HostTokenCounter } from '../../src/index.ts';
import { blocksServer, create, filled, notes } from '../host/set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('onApproval', () => {
  const policy = [{ action: 'ask' as const }];
  const start = async (options = {}) => {
    const crib = create({ mcpServers: { blocks: blocksServer }, policy, ...options });
    await crib.sync();
    return crib;
  };
  const call = { name: 'blocks__odd', arguments: { $filter: 'x' } };

  it('is shown the call, and a yes is good for it once', async () => {
    const asked: ApprovalQuestion[] = [];
    const crib = await start({
      onApproval: async (question: ApprovalQuestion) => {
        asked.push(question);
        return true;
      },
    });
    expect((await crib.call('call_tool', call)).content).toEqual([{ type: 'text', text: '{"$filter":"x"}' }]);
    await crib.call('call_tool', call);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      name: 'blocks__odd',
      server: 'blocks',
      tool: 'odd',
      arguments: { $filter: 'x' },
      caller: 'local',
      effect: 'destructive',
      isEffectKnown: false,
      reason: expect.stringContaining('rule 1'),
    });
  });

  it('may say yes for a while, to the very same call', async () => {
    const onApproval = vi.fn(async () => 'timed' as const);
    const crib = await start({ onApproval });
    await crib.call('call_tool', call);
    await crib.call('call_tool', call);
    await crib.call('call_tool', { ...call, arguments: { $filter: 'y' } });
    expect(onApproval).toHaveBeenCalledTimes(2);
  });

  it.each([false, 'no', undefined, 'yes', 1, {}])('takes %j for a no', async (answer) => {
    const crib = await start({ onApproval: async () => answer });
    expect(await crib.call('call_tool', call)).toMatchObject({
      isError: true,
      _meta: { 'dev.toolcrib/error': { code: 'denied', mayHaveRun: false } },
    });
  });

  it('that fails leaves the call to a person elsewhere', async () => {
    const crib = await start({ onApproval: async () => Promise.reject(new Error('no window')) });
    const result = await crib.call('call_tool', call);
    expect(result._meta).toMatchObject({ 'dev.toolcrib/error': { code: 'approval_required' } });
    expect(JSON.stringify(result)).not.toContain('no window');
    expect(crib.callsToApprove()).toHaveLength(1);
  });

  it('of one call goes before that of all, and can change nothing of what is sent', async () => {
    const ofAll = vi.fn(async () => false);
    const crib = await start({ onApproval: ofAll });
    const result = await crib.call('call_tool', call, {
      onApproval: async (question) => {
        question.arguments.$filter = 'changed';
        return 'once';
      },
    });
    expect(result.content).toEqual([{ type: 'text', text: '{"$filter":"x"}' }]);
    expect(ofAll).not.toHaveBeenCalled();
  });

  it('ends with the call', async () => {
    const abort = new AbortController();
    let wanted: AbortSignal | undefined;
    const crib = await start({
      onApproval: ({ signal }: ApprovalQuestion) => {
        wanted = signal;
        abort.abort();
        return new Promise(() => {});
      },
    });
    const result = await crib.call('call_tool', call, { signal: abort.signal });
    expect(result._meta).toMatchObject({ 'dev.toolcrib/error': { code: 'cancelled' } });
    expect(wanted?.aborted).toBe(true);
  });
});

describe('rerank', () => {
  it('decides what a model and a program see first', async () => {
    const crib = filled({ rerank: async () => ['notes__read_note'] });
    expect((await crib.search('write a note')).hits.map(({ tool }) => tool)).toEqual(['read_note', 'write_note']);
    const { content } = await crib.call('search_tools', { query: 'write a note' });
    expect(content[0]?.text).toContain('To run 1: call_tool {"name":"notes__read_note"');
  });
});

describe('embed', () => {
  /** Texts about writing lie one way, all others another. */
  const embedding = (): HostEmbedding & { seen: string[] } => {
    const seen: string[] = [];
    return {
      seen,
      model: 'test-1',
      embed: async (texts, kind) => {
        seen.push(kind);
        return texts.map((text) => (/writ|jot/i.test(text) ? [3, 0] : [0, 3]));
      },
    };
  };

  it('gives the vectors of tools and queries', async () => {
    const embed = embedding();
    const crib = filled({ embed });
    await crib.settled();
    const { hits, notes: told } = await crib.search('jot something down', { arm: 'embedding' });
    expect(hits[0]?.tool).toBe('write_note');
    expect(told.map(({ code }) => code)).not.toContain('embedding_unavailable');
    expect(new Set(embed.seen)).toEqual(new Set(['document', 'query']));
  });

  it('embeds anew under another name, and not under the same', async () => {
    const catalog = join(folder, 'embed.sqlite');
    const runs: number[] = [];
    for (const model of ['one', 'one', 'two']) {
      const embed = { ...embedding(), model };
      const crib = create({ catalog, embed });
      crib.ingest('notes', notes);
      await crib.settled();
      runs.push(embed.seen.length);
      await crib.close();
    }
    expect(runs.map((count) => count > 0)).toEqual([true, false, true]);
  });

  it.each<[string, HostEmbedding['embed']]>([
    ['fails', async () => Promise.reject(new Error('no model'))],
    [
      'throws',
      () => {
        throw new Error('no model');
      },
    ],
    ['gives too few vectors', async () => []],
    ['gives vectors of several sizes', async (texts) => texts.map((_, index) => Array(index + 1).fill(1))],
    ['gives no numbers', async (texts) => texts.map(() => [Number.NaN, 1])],
    ['gives nothing', async () => undefined as never],
  ])('that %s leaves search to the keywords', async (_, embed) => {
    const crib = filled({ embed: { model: 'broken', embed } });
    await crib.indexed();
    expect((await crib.search('write a note')).hits[0]?.tool).toBe('write_note');
  });

  it('that never answers holds no search up for ever, and is told when toolcrib closes', async () => {
    const signals: AbortSignal[] = [];
    const embed: HostEmbedding['embed'] = (_, __, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const crib = filled({ embed: { model: 'silent', embed } });
    expect((await crib.search('write a note')).hits[0]?.tool).toBe('write_note');
    await crib.close();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});

describe('count', () => {
  const perCharacter: HostTokenCounter = { tokenizer: 'characters', count: (text) => text.length };
  const definition = JSON.stringify(notes[0]);

  it('gives the figures, and its name beside them', async () => {
    const crib = create({ count: perCharacter });
    crib.ingest('notes', [notes[0]]);
    const stats = await crib.stats();
    expect(stats).toMatchObject({ tokenizer: 'characters', definitionTokens: definition.length });
    expect(stats.metaToolTokens).toBe(JSON.stringify(crib.tools()).length);
  });

  it('decides the mode, also where it takes its time', async () => {
    const count = { tokenizer: 'slow', count: async () => 400 };
    const options = { mode: 'auto', thresholdTokens: 500, catalog: join(folder, 'count.sqlite') } as const;
    const first = create({ ...options, count });
    first.ingest('notes', notes);
    await first.settled();
    await first.close();
    const second = create({ ...options, count });
    expect(second.tools().map(({ name }) => name)).toContain('call_tool');
    await second.close();
    const others = create(options);
    expect(others.tools().map(({ name }) => name)).toContain('notes__read_note');
    expect((await others.stats()).definitionTokens).toBeLessThan(500);
  });

  it('that gives no numbers is told of', async () => {
    const crib = create({ count: { tokenizer: 'odd', count: () => Number.NaN } });
    crib.ingest('notes', notes);
    await expect(crib.stats()).rejects.toThrow('"odd"');
  });
});

describe('budget', () => {
  it('says what the list takes, and when discovery pays', async () => {
    const crib = filled({ contextWindow: 100_000, thresholdPercent: 2 });
    const tool = (index: number) => ({ ...notes[0], name: `tool_${index}`, description: 'word '.repeat(200) });
    crib.ingest(
      'many',
      Array.from({ length: 20 }, (_, index) => tool(index)),
    );
    const before = await crib.budget();
    expect(before).toMatchObject({
      contextWindow: 100_000,
      thresholdTokens: 2_000,
      mode: 'discovery',
      isSearchMeasured: false,
    });
    expect(before.listTokens).toBe(before.metaToolTokens);
    expect(before.listPercent).toBeCloseTo(before.listTokens / 1_000);
    const saved = before.definitionTokens - before.listTokens;
    expect(before.breakEvenSearches).toBe(Math.floor(saved / before.searchTokens));
    expect((await crib.stats()).breakEvenSearches).toBe(before.breakEvenSearches);
    await crib.call('search_tools', { query: 'write a note' });
    const after = await crib.budget();
    expect(after.isSearchMeasured).toBe(true);
    expect(after.searchTokens).not.toBe(before.searchTokens);
  });

  it('says that discovery pays for nothing where there is little to save', async () => {
    expect(await filled().budget()).toMatchObject({ breakEvenSearches: 0 });
    expect(await create().budget()).toMatchObject({ definitionTokens: 0, breakEvenSearches: 0 });
  });

  it('counts pins', async () => {
    const budget = await filled({ pinned: ['notes__write_note'] }).budget();
    expect(budget.listTokens).toBeGreaterThan(budget.metaToolTokens);
  });

  it('goes by tokens where the host says so', async () => {
    expect(await filled({ thresholdTokens: 10 }).budget()).toMatchObject({ thresholdTokens: 10 });
    const crib = filled({ mode: 'auto', thresholdTokens: 10 });
    expect(crib.tools()).toHaveLength(3);
    expect((await crib.stats()).modeReason).toContain('more than the threshold of 10 tokens');
  });
});
