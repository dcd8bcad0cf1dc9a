import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelistSchedule } from '../../src/upstream/relist-schedule.ts';

/** A schedule whose lists take no time and end as told. */
function scheduleWith(outcome: 'changed' | 'idle') {
  const listedAt: number[] = [];
  const schedule = new RelistSchedule(() => {
    schedule.listStarted();
    listedAt.push(Date.now());
    schedule.listEnded(outcome);
  });
  return { schedule, listedAt };
}

describe('RelistSchedule', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('gathers notices into one list after a quiet moment', () => {
    const { schedule, listedAt } = scheduleWith('changed');
    for (let i = 0; i < 5; i += 1) {
      schedule.notice();
      vi.advanceTimersByTime(50);
    }
    vi.advanceTimersByTime(1_000);
    expect(listedAt).toEqual([300]);
  });

  it('lists a server that never falls quiet', () => {
    const { schedule, listedAt } = scheduleWith('changed');
    for (let i = 0; i < 30; i += 1) {
      schedule.notice();
      vi.advanceTimersByTime(50);
    }
    expect(listedAt[0]).toBe(1_000);
  });

  it('answers echoes of its own idle lists more and more rarely', () => {
    const { schedule, listedAt } = scheduleWith('idle');
    schedule.notice();
    for (let ms = 0; ms < 600_000; ms += 100) {
      const before = listedAt.length;
      vi.advanceTimersByTime(100);
      if (listedAt.length > before) schedule.notice();
    }
    expect(listedAt.slice(0, 5)).toEqual([100, 300, 700, 1_500, 3_100]);
    // One a minute at the end, where an eager client would have listed 6 000 times.
    expect(listedAt.length).toBeLessThan(25);
  });

  it('answers echoes more and more rarely also when every list differs, after a few', () => {
    const { schedule, listedAt } = scheduleWith('changed');
    schedule.notice();
    for (let ms = 0; ms < 600_000; ms += 100) {
      const before = listedAt.length;
      vi.advanceTimersByTime(100);
      if (listedAt.length > before) schedule.notice();
    }
    expect(listedAt.slice(0, 8)).toEqual([100, 200, 300, 400, 500, 600, 700, 800]);
    expect(listedAt.length).toBeLessThan(35);
  });

  it('answers a notice at once again after a list that held something new, or a long quiet', () => {
    const { schedule, listedAt } = scheduleWith('idle');
    for (let i = 0; i < 6; i += 1) {
      schedule.notice();
      vi.advanceTimersByTime(10_000);
    }
    const slow = listedAt.length;
    vi.advanceTimersByTime(60_000);
    schedule.notice();
    vi.advanceTimersByTime(100);
    expect(listedAt).toHaveLength(slow + 1);
  });

  it('lists no more once stopped', () => {
    const { schedule, listedAt } = scheduleWith('changed');
    schedule.notice();
    schedule.stop();
    vi.advanceTimersByTime(10_000);
    expect(listedAt).toEqual([]);
  });
});
