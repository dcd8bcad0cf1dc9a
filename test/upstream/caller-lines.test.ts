import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerLines, type Line } from '../../src/upstream/caller-lines.ts';

/** Lines that note when they are closed; `busy` ones have a call that waits for its user. */
function setUp(limits = {}) {
  const closed: number[] = [];
  const busy = new Set<number>();
  let opened = 0;
  const lines = new CallerLines(
    'srv',
    () => {
      const id = ++opened;
      const link = { close: async () => void closed.push(id) };
      const lane = {
        id,
        get isIdle() {
          return !busy.has(id);
        },
      };
      return { link, lane } as unknown as Line;
    },
    limits,
  );
  const use = (principal: string) => lines.use(principal, async (lane) => (lane as unknown as { id: number }).id);
  return { lines, use, closed, busy };
}

describe('a line for each caller', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is opened at the first call and kept for the next', async () => {
    const { use } = setUp();
    expect([await use('ada'), await use('bob'), await use('ada')]).toEqual([1, 2, 1]);
  });

  it('is closed when its caller has not called for a while, and not while a call waits for its user', async () => {
    const { use, closed, busy } = setUp({ idleCloseMs: 1_000 });
    await use('ada');
    await use('bob');
    busy.add(2);
    await vi.advanceTimersByTimeAsync(900);
    await use('ada');
    await vi.advanceTimersByTimeAsync(900);
    expect(closed).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(closed).toEqual([1]);
    busy.delete(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(closed).toEqual([1, 2]);
    expect(await use('ada')).toBe(3);
  });

  it('gives its place up for another caller, the longest unused first, and none that is in use', async () => {
    const { use, closed, busy, lines } = setUp({ callersMax: 2 });
    await use('ada');
    await use('bob');
    await use('ada');
    await use('eve');
    expect(closed).toEqual([2]);
    busy.add(1).add(3);
    await expect(use('bob')).rejects.toMatchObject({ code: 'upstream_unavailable', details: { mayHaveRun: false } });
    busy.delete(3);
    // A caller who is being served keeps their line as well.
    const serving = lines.use('eve', () => use('bob').catch((error: { code: string }) => error.code));
    expect(await serving).toBe('upstream_unavailable');
    expect(await use('bob')).toBe(4);
  });

  it('is closed with the server', async () => {
    const { lines, use, closed } = setUp();
    await use('ada');
    await use('bob');
    await lines.close();
    expect(closed).toEqual([1, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
