import { afterEach, describe, expect, it, vi } from 'vitest';
import { auto, direct, rawTool, servers, setUp, text } from './harness.ts';

/** Three of these lie between 80 and 100 % of the threshold. */
const nearly = (name: string) => rawTool(name, {}, [], { description: 'word '.repeat(2_400) });
const big = (name: string) => rawTool(name, {}, [], { description: 'word '.repeat(3_000) });

afterEach(() => vi.useRealTimers());

describe('direct mode', () => {
  it('lists every callable tool by server, then name, as its server defined it', () => {
    const { router } = setUp({ settings: direct });
    expect(router.listTools().map(({ name }) => name)).toEqual([
      'github__create_issue',
      'github__run_workflow',
      'linear__create_issue',
      'linear__free_form',
      'linear__listTeams',
      'toolcrib__read_result',
    ]);
    expect(router.listTools()[0]).toEqual({ ...(servers.github?.[0] as object), name: 'github__create_issue' });
  });

  it('runs listed tools through the same checks, and knows no meta-tools', async () => {
    const { router, caller, ask } = setUp({ settings: direct });
    await router.callTool('linear__create_issue', '{"title":"t"}');
    expect(caller.calls[0]?.args).toEqual({ title: 't' });
    expect((await ask('linear__create_issue', {})).text).toMatch(/title: .*required/);
    await expect(router.callTool('search_tools', { query: 'x' })).rejects.toMatchObject({ code: 'unknown_tool' });
    expect(await ask('toolcrib__read_result', {})).toMatchObject({ isError: true });
  });

  it('hands results that break the declared output schema over as text', async () => {
    const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const { router, caller } = setUp({ settings: direct, tools: { srv: [rawTool('make', {}, [], { outputSchema })] } });
    caller.answer = () => ({ content: [], structuredContent: { id: 1 } });
    expect(await router.callTool('srv__make', {})).toEqual({ content: [], structuredContent: { id: 1 } });
    caller.answer = () => ({ content: [], structuredContent: { id: 'one' } });
    const broken = await router.callTool('srv__make', {});
    expect(broken).toMatchObject({
      isError: true,
      content: [{ type: 'text' }, { type: 'text', text: '{"id":"one"}' }],
    });
    expect(broken.structuredContent).toBeUndefined();
    caller.answer = () => ({ content: [{ type: 'text', text: 'no luck' }], isError: true });
    expect(await router.callTool('srv__make', {})).toEqual({
      content: [{ type: 'text', text: 'no luck' }],
      isError: true,
    });
  });

  it('follows the catalog and tells listeners, once for each change', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { router, ingest } = setUp({ settings: direct });
    let changes = 0;
    const stop = router.onListChanged(() => {
      changes += 1;
    });
    ingest('linear', [rawTool('listTeams')]);
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(1_000);
    expect(changes).toBe(1);
    expect(router.listTools().map(({ name }) => name)).not.toContain('linear__create_issue');
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has old lists fetched anew when it is read, which in discovery mode takes no server', () => {
    const beforeRead = vi.fn();
    setUp({ settings: direct, beforeRead }).router.listTools();
    expect(beforeRead).toHaveBeenCalledOnce();
    setUp({ beforeRead }).router.listTools();
    expect(beforeRead).toHaveBeenCalledOnce();
  });

  it('needs its servers to stay connected while someone listens', () => {
    const { router } = setUp({ settings: direct });
    const fixed = setUp().router;
    expect([router.isFollowed, fixed.isFollowed]).toEqual([false, false]);
    const stops = [router, fixed].map((one) => one.onListChanged(() => {}));
    expect([router.isFollowed, fixed.isFollowed]).toEqual([true, false]);
    for (const stop of stops) stop();
    expect(router.isFollowed).toBe(false);
  });

  it('stops watching when the catalog is closed', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { router, catalog } = setUp({ settings: direct });
    router.onListChanged(() => {});
    catalog.close();
    vi.advanceTimersByTime(3_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the mode', () => {
  it('holds after the start, and says what the next start would choose', () => {
    const { router, ingest, logger } = setUp({ settings: auto });
    expect(router.mode()).toMatchObject({ mode: 'direct', thresholdTokens: 10_000 });
    ingest('huge', ['a', 'b', 'c', 'd', 'e'].map(big));
    expect(router.listTools().length).toBeGreaterThan(3);
    expect(router.mode().mode).toBe('direct');
    expect(logger.lines.at(-1)).toMatch(/^mode discovery at the next start:/);
  });

  it('switches at once with liveModeSwitch, and tells listeners', () => {
    const { router, ingest } = setUp({ settings: { ...auto, liveModeSwitch: true } });
    let changes = 0;
    const stop = router.onListChanged(() => {
      changes += 1;
    });
    ingest('huge', ['a', 'b', 'c', 'd', 'e'].map(big));
    expect(router.listTools()).toHaveLength(3);
    expect(router.mode().mode).toBe('discovery');
    ingest('huge', ['a', 'b'].map(big));
    expect(router.mode().mode).toBe('direct');
    expect(router.listTools()).toHaveLength(8);
    expect(changes).toBe(2);
    stop();
  });

  it('keeps to discovery over restarts until the definitions are well below the threshold, and predicts just that', () => {
    const first = setUp({ settings: auto, tools: { srv: ['a', 'b', 'c', 'd'].map(big) } });
    expect(first.router.mode().mode).toBe('discovery');
    first.ingest('srv', ['a', 'b', 'c'].map(nearly));
    expect(first.router.nextMode()).toMatchObject({ mode: 'discovery', definitionTokens: expect.any(Number) });
    expect(first.restart().mode()).toMatchObject({
      mode: 'discovery',
      reason: expect.stringContaining('not yet below'),
    });
    first.ingest('srv', ['a', 'b'].map(big));
    expect(first.router.nextMode().mode).toBe('direct');
    expect(first.restart().mode().mode).toBe('direct');
  });

  it('decides what a host is told: nothing of meta-tools that are not listed', () => {
    expect(setUp({ settings: direct }).router.instructions).not.toContain('search_tools');
    expect(setUp().router.instructions).toContain('search_tools');
  });

  it('is discovery while a server has never been listed', () => {
    const { router } = setUp({ settings: auto, states: [{ id: 'slow', state: 'connecting' }] });
    expect(router.mode()).toMatchObject({ mode: 'discovery', reason: expect.stringContaining('slow') });
    expect(router.listTools()).toHaveLength(3);
  });

  it('does not depend on calls', async () => {
    const { router } = setUp({ settings: auto, tools: { srv: [rawTool('one', { a: text })] } });
    const before = JSON.stringify(router.listTools());
    await router.callTool('srv__one', { a: 'b' });
    await router.dispatch('nope', {});
    expect(JSON.stringify(router.listTools())).toBe(before);
  });
});
