import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { steadyNow } from '../../src/model/index.ts';
import { Restart } from '../../src/upstream/restart.ts';

function create(part: { isNeeded?: () => boolean; nextTryAt?: () => number; fails?: number } = {}) {
  const startedAt: number[] = [];
  let failures = part.fails ?? 0;
  const options = {
    isNeeded: part.isNeeded ?? (() => true),
    nextTryAt: part.nextTryAt ?? (() => 0),
    start: async () => {
      startedAt.push(Date.now());
      if (failures-- > 0) throw new Error('still away');
    },
  };
  return { restart: new Restart(options, () => 0), startedAt };
}

describe('Restart', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('starts a lost server again, later and later while it does not stay', async () => {
    const { restart, startedAt } = create();
    for (let i = 0; i < 4; i += 1) {
      restart.lost(100);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(startedAt).toEqual([1_000, 12_000, 24_000, 38_000]);
    restart.lost(60_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(startedAt.at(-1)).toBe(41_000);
  });

  it('goes on trying, not before the server may be tried', async () => {
    const nextTryAt = steadyNow() + 30_000;
    const { restart, startedAt } = create({ fails: 2, nextTryAt: () => nextTryAt });
    restart.lost(100);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(startedAt).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(startedAt).toEqual([30_000, 31_000, 32_000]);
  });

  it('does nothing when nobody waits, any more, or once stopped', async () => {
    let isNeeded = false;
    const { restart, startedAt } = create({ isNeeded: () => isNeeded });
    restart.lost(100);
    isNeeded = true;
    restart.lost(100);
    isNeeded = false;
    await vi.advanceTimersByTimeAsync(10_000);
    isNeeded = true;
    restart.lost(100);
    restart.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(startedAt).toEqual([]);
  });
});
