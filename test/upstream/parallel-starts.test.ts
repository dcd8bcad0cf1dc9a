import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ParallelStarts } from '../../src/upstream/parallel-starts.ts';

/** Two at a time, each of which ends when told. */
function setUp() {
  let isClosed = false;
  const starts = new ParallelStarts<string>(2, () => {
    if (isClosed) throw new Error('closed');
  });
  const ends = new Map<string, () => void>();
  const begin = (id: string) => starts.run(id, () => new Promise((end) => ends.set(id, () => end(`${id} listed`))));
  return {
    starts,
    begin,
    begun: () => [...ends.keys()],
    end: (id: string) => ends.get(id)?.(),
    close: () => {
      isClosed = true;
    },
  };
}

describe('ParallelStarts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has no more at a time than allowed, and the others in turn', async () => {
    const { begin, begun, end } = setUp();
    const all = ['a', 'b', 'c'].map(begin);
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual(['a', 'b']);
    end('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual(['a', 'b', 'c']);
    end('b');
    end('c');
    expect(await Promise.all(all)).toEqual(['a listed', 'b listed', 'c listed']);
  });

  it('gives the place of a slow one to the next, and waits for it all the same', async () => {
    const { begin, begun, end } = setUp();
    const all = ['a', 'b', 'c'].map(begin);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(begun()).toEqual(['a', 'b', 'c']);
    for (const id of begun()) end(id);
    expect(await Promise.all(all)).toHaveLength(3);
  });

  it('shares the one of a server with all who ask meanwhile', async () => {
    const { starts, begin, end } = setUp();
    const all = [begin('a'), begin('a')];
    await vi.advanceTimersByTimeAsync(0);
    expect(starts.has('a')).toBe(true);
    end('a');
    expect(await Promise.all(all)).toEqual(['a listed', 'a listed']);
    expect(starts.has('a')).toBe(false);
  });

  it('begins none after the close', async () => {
    const { begin, begun, close } = setUp();
    const waiting = begin('a');
    close();
    await expect(waiting).rejects.toThrow('closed');
    expect(begun()).toEqual([]);
  });
});
