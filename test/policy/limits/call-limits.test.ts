import { describe, expect, it } from 'vitest';
import type { LimitedCall } from '../../../src/model/index.ts';
import { type CallLimitOptions, createCallLimits } from '../../../src/policy/index.ts';

const free = { perMinute: 0, atOnce: 0 };
const options: CallLimitOptions = { caller: free, server: free, tool: free, queueMax: 4, queueMaxWaitMs: 60_000 };
const call = (caller: string, tool = 'echo', serverId = 'raw'): LimitedCall => ({
  caller,
  serverId,
  toolName: tool,
  name: `${serverId}__${tool}`,
});

/** What has come of a promise so far. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  return Promise.race([
    promise.then(
      () => 'in',
      (error: { code: string }) => error.code,
    ),
    new Promise<string>((resolve) => setImmediate(resolve, 'waiting')),
  ]);
}

describe('calls in a minute', () => {
  it.each(['caller', 'server', 'tool'] as const)('are counted by %s', async (kind) => {
    const limits = createCallLimits({ ...options, [kind]: { ...free, perMinute: 2 } });
    const same = { caller: ['ann', 'b', 'y'], server: ['bob', 'raw', 'y'], tool: ['bob', 'raw', 'echo'] }[kind];
    const other = { caller: ['bob', 'raw', 'echo'], server: ['ann', 'b', 'echo'], tool: ['ann', 'b', 'echo'] }[kind];
    const of = ([caller = '', server = '', tool = '']: string[]) => limits.count(call(caller, tool, server));
    await of(['ann', 'raw', 'echo']);
    await of(same);
    await expect(of(same)).rejects.toMatchObject({ code: 'rate_limited' });
    await of(other);
  });

  it('over the limit say how long to wait', async () => {
    const limits = createCallLimits({ ...options, caller: { ...free, perMinute: 1 } });
    await limits.count(call('ann'));
    const error = await limits.count(call('ann')).catch((refused: unknown) => refused);
    expect(error).toMatchObject({
      code: 'rate_limited',
      message: 'raw__echo was not run: there were more than 1 calls of this caller within a minute.',
      next: expect.stringMatching(/^Wait \d+ seconds?, then call again\.$/),
      details: { mayHaveRun: false },
    });
    const { retryAfterMs } = (error as { details: { retryAfterMs: number } }).details;
    expect(retryAfterMs > 0 && retryAfterMs <= 60_000).toBe(true);
  });

  it('that are refused for their tool do not use up what the caller has', async () => {
    const limits = createCallLimits({
      ...options,
      caller: { ...free, perMinute: 3 },
      tool: { ...free, perMinute: 1 },
    });
    await limits.count(call('ann'));
    for (let tries = 0; tries < 5; tries += 1) await limits.count(call('ann')).catch(() => undefined);
    await limits.count(call('ann', 'other'));
    await limits.count(call('ann', 'third'));
    await expect(limits.count(call('ann', 'fourth'))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('count searches as well', async () => {
    const limits = createCallLimits({ ...options, caller: { ...free, perMinute: 2 } });
    await limits.countRequest('ann');
    await limits.count(call('ann'));
    await expect(limits.countRequest('ann')).rejects.toMatchObject({ code: 'rate_limited' });
    await limits.countRequest('bob');
  });

  it('are not counted without a limit', async () => {
    const limits = createCallLimits(options);
    for (let tries = 0; tries < 100; tries += 1) await limits.count(call('ann'));
  });
});

describe('calls at once', () => {
  it('wait for a place, the first come first, and hold up no others', async () => {
    const limits = createCallLimits({ ...options, tool: { ...free, atOnce: 1 } });
    const leave = await limits.enter(call('ann'));
    const [second, third] = [limits.enter(call('bob')), limits.enter(call('ann'))];
    expect(await Promise.all([second, third].map(stateOf))).toEqual(['waiting', 'waiting']);
    (await limits.enter(call('ann', 'other')))();
    leave();
    leave();
    expect(await Promise.all([second, third].map(stateOf))).toEqual(['in', 'waiting']);
    (await second)();
    expect(await stateOf(third)).toBe('in');
  });

  it('need a place under all of their keys', async () => {
    const limits = createCallLimits({ ...options, caller: { ...free, atOnce: 2 }, server: { ...free, atOnce: 1 } });
    const leave = await limits.enter(call('ann', 'a', 'one'));
    const waiting = limits.enter(call('bob', 'a', 'one'));
    expect(await stateOf(waiting)).toBe('waiting');
    const leaveTwo = await limits.enter(call('ann', 'a', 'two'));
    const third = limits.enter(call('ann', 'a', 'three'));
    expect(await stateOf(third)).toBe('waiting');
    leaveTwo();
    expect([await stateOf(third), await stateOf(waiting)]).toEqual(['in', 'waiting']);
    leave();
    expect(await stateOf(waiting)).toBe('in');
  });

  it('are refused where too many wait, of one caller sooner than of all', async () => {
    const limits = createCallLimits({ ...options, server: { ...free, atOnce: 1 } });
    await limits.enter(call('ann'));
    const waiting = ['ann', 'ann', 'ann', 'bob', 'bob', 'eve'].map((caller) => limits.enter(call(caller)));
    const refused = 'rate_limited';
    expect(await Promise.all(waiting.map(stateOf))).toEqual([
      'waiting',
      'waiting',
      refused,
      'waiting',
      'waiting',
      refused,
    ]);
    await expect(waiting[2]).rejects.toMatchObject({ details: { retryAfterMs: 1_000, mayHaveRun: false } });
  });

  it('that are cancelled make room in the queue, and never get a place', async () => {
    const limits = createCallLimits({ ...options, queueMax: 1, server: { ...free, atOnce: 1 } });
    const leave = await limits.enter(call('ann'));
    const abort = new AbortController();
    const cancelled = limits.enter(call('ann'), abort.signal);
    expect(await stateOf(limits.enter(call('bob')))).toBe('rate_limited');
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled', details: { mayHaveRun: false } });
    const next = limits.enter(call('bob'));
    leave();
    expect(await stateOf(next)).toBe('in');
    await expect(limits.enter(call('ann'), abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('wait no longer than they may', async () => {
    const limits = createCallLimits({ ...options, queueMaxWaitMs: 5, server: { ...free, atOnce: 1 } });
    await limits.enter(call('ann'));
    await expect(limits.enter(call('ann'))).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'raw__echo was not run: other calls did not end in time.',
    });
  });
});
