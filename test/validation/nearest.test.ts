import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/validation/nearest.ts';

describe('nearest', () => {
  it.each<[string, string[], string | undefined]>([
    ['issueNumber', ['title', 'issue_number'], 'issue_number'],
    ['ISSUE-NUMBER', ['issue_number'], 'issue_number'],
    ['issue_title', ['body', 'title'], 'title'],
    ['onwer', ['repo', 'owners', 'owner'], undefined],
    ['repositry', ['repository', 'directory'], 'repository'],
    ['opened', ['closed', 'open'], 'open'],
    ['a', ['b'], undefined],
    ['A', ['b', 'a'], 'a'],
    ['', ['a'], undefined],
    ['_', [''], undefined],
    ['owner', [], undefined],
    ['owner', ['x'.repeat(1_000), 'owners'], 'owners'],
    ['x'.repeat(1_000), ['x'.repeat(1_000)], undefined],
  ])('%s among %j', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  it.each<[string, string]>([
    ['value19999x', 'value19999'],
    ['vlaue19999', 'value19999'],
    ['value1500', 'value1500'],
  ])('looks through 20,000: %s', (name, expected) => {
    const candidates = Array.from({ length: 20_000 }, (_, index) => `value${index}`);
    expect(nearest(name, candidates)).toBe(expected);
  });
});
