import { describe, expect, it } from 'vitest';
import type { NewTokenOptions, StoredToken } from '../../../src/model/index.ts';
import { createTokenCheck, newToken } from '../../../src/policy/index.ts';

/** A store in memory, and a clock that the test moves. */
function setUp(options: { isRequired?: boolean } = {}) {
  const stored: StoredToken[] = [];
  let [generation, now] = [0, 1_000];
  const check = createTokenCheck({
    tokens: { generation: () => generation, all: () => stored },
    isTrusted: () => false,
    now: () => now,
    ...options,
  });
  return {
    check,
    add(name: string, more: Partial<NewTokenOptions> = {}) {
      const token = newToken(name, { scopes: ['*'], ...more }, now);
      stored.push(token.stored);
      generation += 1;
      return token;
    },
    revoke(token: StoredToken) {
      token.revokedAt = now;
      generation += 1;
    },
    pass: (ms: number) => {
      now += ms;
    },
    ask: (authorization?: string, address = '10.0.0.1') => check.check(authorization, address),
  };
}

const dayMs = 24 * 60 * 60_000;

describe('a caller with a token', () => {
  it('is known by it', async () => {
    const { add, ask, check } = setUp();
    const { secret } = add('ci', { scopes: ['github'] });
    add('web');
    const verdict = await ask(`Bearer ${secret}`);
    expect(verdict).toMatchObject({ kind: 'known', caller: { name: 'ci' } });
    expect(verdict.kind === 'known' && verdict.caller.scope?.knowsServer('linear')).toBe(false);
    expect(verdict.kind === 'known' && check.isCurrent(verdict.caller)).toBe(true);
    expect(await ask(`bearer   ${secret}`)).toMatchObject({ kind: 'known' });
  });

  it.each([
    ['none', () => undefined, false],
    ['an empty header', () => '', true],
    ['another scheme', (secret: string) => `Basic ${secret}`, true],
    ['no scheme', (secret: string) => secret, true],
    ['another secret', (secret: string) => `Bearer ${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`, true],
    ['another id', (secret: string) => `Bearer ${secret.replace(/_.{16}/, '_0000000000000000')}`, true],
    ['more behind it', (secret: string) => `Bearer ${secret}x`, true],
    ['two of them', (secret: string) => `Bearer ${secret}, Bearer ${secret}`, true],
    ['a very long one', () => `Bearer ${'x'.repeat(10_000)}`, true],
  ])('is refused with %s', async (_, header, hasToken) => {
    const { add, ask } = setUp();
    const { secret } = add('ci');
    expect(await ask(header(secret))).toEqual({ kind: 'refused', hasToken });
  });

  it('is refused from the moment the token is revoked or expires', async () => {
    const { add, ask, revoke, pass, check } = setUp();
    const [revoked, expiring] = [add('ci'), add('web', { expiresInDays: 1 })];
    const verdict = await ask(`Bearer ${expiring.secret}`);
    const caller = verdict.kind === 'known' ? verdict.caller : undefined;
    revoke(revoked.stored);
    expect(await ask(`Bearer ${revoked.secret}`)).toMatchObject({ kind: 'refused' });
    pass(dayMs - 1);
    expect(check.isCurrent(caller)).toBe(true);
    pass(1);
    expect(check.isCurrent(caller)).toBe(false);
    expect(await ask(`Bearer ${expiring.secret}`)).toMatchObject({ kind: 'refused' });
  });

  it('passes while others at the same address guess, who are slowed down', async () => {
    const { add, ask } = setUp();
    const { secret } = add('ci');
    const kinds = [];
    for (let tries = 0; tries < 25; tries += 1) kinds.push((await ask('Bearer guess')).kind);
    expect(kinds).toEqual([...Array(20).fill('refused'), ...Array(5).fill('slowed')]);
    const slowed = await ask('Bearer guess');
    expect(slowed.kind === 'slowed' && slowed.retryAfterMs).toBeGreaterThan(0);
    expect(await ask(`Bearer ${secret}`)).toMatchObject({ kind: 'known' });
    expect(await ask('Bearer guess', '10.0.0.2')).toMatchObject({ kind: 'refused' });
  });

  it('does not get more tries by other addresses of the same IPv6 network', async () => {
    const { add, ask } = setUp();
    add('ci');
    for (let tries = 0; tries < 20; tries += 1) await ask('Bearer guess', `2001:db8:1:2:0:0:0:${tries}`);
    expect((await ask('Bearer guess', '2001:db8:1:2:9:9:9:9')).kind).toBe('slowed');
    expect((await ask('Bearer guess', '2001:db8:1:3:9:9:9:9')).kind).toBe('refused');
    expect((await ask('Bearer guess', '::1')).kind).toBe('refused');
  });
});

describe('a token', () => {
  it('is needed once one was created, also when it is revoked', async () => {
    const { add, ask, revoke, check } = setUp();
    expect(await ask()).toEqual({ kind: 'open' });
    expect(await ask('Bearer x')).toEqual({ kind: 'open' });
    const { stored } = add('ci');
    expect(await ask('Bearer x')).toMatchObject({ kind: 'refused' });
    expect(check.isCurrent(undefined)).toBe(false);
    revoke(stored);
    expect(await ask()).toEqual({ kind: 'refused', hasToken: false });
  });

  it('is needed always, or never, where the config says so', async () => {
    expect(await setUp({ isRequired: true }).ask()).toMatchObject({ kind: 'refused' });
    const never = setUp({ isRequired: false });
    const { secret } = never.add('ci');
    expect(await never.ask()).toEqual({ kind: 'open' });
    expect(await never.ask(`Bearer ${secret}`)).toMatchObject({ kind: 'known' });
    expect(await never.ask('Bearer x')).toMatchObject({ kind: 'refused' });
  });

  it('is kept as a hash that says nothing of it', () => {
    const { secret, stored } = newToken('ci', { scopes: ['a', 'a'] }, 5);
    expect(secret).toMatch(/^tcr_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(secret).toContain(stored.id);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(21));
    expect(stored).toMatchObject({ name: 'ci', scopes: ['a'], createdAt: 5 });
  });

  it.each<[string, NewTokenOptions]>([
    ['', { scopes: ['*'] }],
    ['a b', { scopes: ['*'] }],
    ['0123456789abcdef', { scopes: ['*'] }],
    ['\u202eci', { scopes: ['*'] }],
    ['ci', { scopes: [] }],
    ['ci', { scopes: ['a b'] }],
    ['ci', { scopes: Array(101).fill('a') }],
    ['ci', { scopes: ['*'], expiresInDays: 0 }],
    ['ci', { scopes: ['*'], expiresInDays: Number.NaN }],
    ['ci', { scopes: '*' as unknown as string[] }],
  ])('is not made for %j with %j', (name, options) => {
    expect(() => newToken(name, options, 0)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  });
});
