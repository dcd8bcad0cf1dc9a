import { describe, expect, it } from 'vitest';
import type { StoredToken } from '../../src/model/index.ts';
import { open, temporaryPath } from './harness.ts';

const token = (id: string, more: Partial<StoredToken> = {}): StoredToken => ({
  id,
  name: 'ci',
  scopes: ['github:*', 'docs@read'],
  secretHash: 'ab'.repeat(32),
  createdAt: 1_000,
  ...more,
});

describe('the tokens of callers', () => {
  it('are kept as they are, the oldest first', () => {
    const { callerTokens } = open({ path: temporaryPath() });
    const later = token('b', { name: 'web', createdAt: 2_000, expiresAt: Date.now() + 60_000 });
    expect([callerTokens.add(later), callerTokens.add(token('a'))]).toEqual([true, true]);
    expect(callerTokens.all()).toEqual([token('a'), later]);
  });

  it('are one to a name, until it is revoked or has expired', () => {
    const { callerTokens } = open({ path: temporaryPath() });
    expect(callerTokens.add(token('a', { expiresAt: Date.now() - 1 }))).toBe(true);
    expect(callerTokens.add(token('b'))).toBe(true);
    expect(callerTokens.add(token('c'))).toBe(false);
    expect(callerTokens.revoke('ci')).toMatchObject({ id: 'b', revokedAt: expect.any(Number) });
    expect(callerTokens.add(token('c'))).toBe(true);
    expect(callerTokens.revoke('c')).toMatchObject({ id: 'c' });
    expect(callerTokens.all().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('are not revoked twice, nor under a name that there is not', () => {
    const { callerTokens } = open({ path: temporaryPath() });
    callerTokens.add(token('a'));
    callerTokens.revoke('a');
    expect(callerTokens.revoke('a')).toBeUndefined();
    expect(callerTokens.revoke('%')).toBeUndefined();
  });

  it('tell another process of each change, and of nothing else', () => {
    const path = temporaryPath();
    const [mine, other] = [open({ path }).callerTokens, open({ path }).callerTokens];
    const before = mine.generation();
    other.add(token('a'));
    const between = mine.generation();
    other.add(token('b'));
    expect(mine.generation()).toBe(between);
    other.revoke('a');
    expect([between > before, mine.generation() > between]).toEqual([true, true]);
    expect(mine.all()).toMatchObject([{ id: 'a', revokedAt: expect.any(Number) }]);
  });
});
