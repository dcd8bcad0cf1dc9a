import { describe, expect, it } from 'vitest';
import { Backoff } from '../../src/upstream/backoff.ts';
import { dueAt } from '../../src/upstream/freshness.ts';

describe('dueAt', () => {
  const record = { id: 'a', position: 0, fingerprint: '', stale: false, toolCount: 1, listedAt: 1_000_000 };
  const maxAgeMs = 600_000;
  it.each([
    { name: 'never listed', record: undefined, watched: false, due: 0 },
    { name: 'stale', record: { ...record, stale: true }, watched: true, due: 0 },
    { name: 'no hint', record, watched: false, due: 1_600_000 },
    { name: 'watched', record, watched: true, due: Number.POSITIVE_INFINITY },
    { name: 'with a ttl', record: { ...record, ttlMs: 90_000 }, watched: false, due: 1_090_000 },
    { name: 'with a ttl, watched', record: { ...record, ttlMs: 90_000 }, watched: true, due: 1_090_000 },
    { name: 'with a ttl of 0', record: { ...record, ttlMs: 0 }, watched: false, due: 1_600_000 },
    { name: 'with a ttl of 0, watched', record: { ...record, ttlMs: 0 }, watched: true, due: 1_600_000 },
    { name: 'with a ttl of 1 s', record: { ...record, ttlMs: 1_000 }, watched: false, due: 1_030_000 },
    { name: 'with a ttl of a year', record: { ...record, ttlMs: 3e10 }, watched: false, due: 1_000_000 + 86_400_000 },
  ])('$name', ({ record: row, watched, due }) => {
    expect(dueAt(row, { isWatched: watched, watchedUntil: 0, maxAgeMs })).toBe(due);
  });
});

it('a list counts as new until its server stopped telling of changes', () => {
  const record = { id: 'a', position: 0, fingerprint: '', stale: false, toolCount: 1, listedAt: 1_000 };
  const watching = { isWatched: false, watchedUntil: 50_000, maxAgeMs: 600_000 };
  expect(dueAt(record, watching)).toBe(650_000);
  expect(dueAt({ ...record, ttlMs: 60_000 }, watching)).toBe(61_000);
});

describe('Backoff', () => {
  it('grows to half an hour and ends with a success', () => {
    const backoff = new Backoff(() => 0);
    expect(backoff.nextAt).toBe(0);
    const pauses = Array.from({ length: 100 }, () => {
      backoff.failed(1_000);
      return backoff.nextAt - 1_000;
    });
    expect(pauses.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
    expect(pauses.at(-1)).toBe(1_800_000);
    backoff.succeeded();
    expect(backoff.nextAt).toBe(0);
  });

  it('is drawn out by jitter, never cut short', () => {
    const nextAt = (random: number) => {
      const backoff = new Backoff(() => random);
      backoff.failed(0);
      return backoff.nextAt;
    };
    expect([nextAt(0), nextAt(0.5), nextAt(0.999)]).toEqual([30_000, 33_750, 37_493]);
  });
});
