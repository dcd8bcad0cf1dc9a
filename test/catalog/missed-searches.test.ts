import { expect, it } from 'vitest';
import { open } from './harness.ts';

it('counts what is asked again, newest first', () => {
  const { missedSearches } = open();
  for (const query of ['one', 'two', ' one ']) missedSearches.note(query);
  expect(missedSearches.list(10)).toMatchObject([
    { query: 'one', times: 2 },
    { query: 'two', times: 1 },
  ]);
  expect(missedSearches.list(1)).toHaveLength(1);
});

it('keeps the newest 200, each by its first 200 characters', () => {
  const { missedSearches } = open();
  for (let i = 0; i < 250; i += 1) missedSearches.note(`${i} ${'x'.repeat(500)}`);
  const kept = missedSearches.list(1_000);
  expect(kept).toHaveLength(200);
  expect(kept.every(({ query }) => query.length === 200)).toBe(true);
  expect(kept.map(({ query }) => query.split(' ', 1)[0])).not.toContain('0');
});
