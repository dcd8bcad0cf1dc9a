import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressRelay } from '../../src/server/progress-relay.ts';
import { keepingLogger } from './keeping-logger.ts';

type Notify = ConstructorParameters<typeof ProgressRelay>[1];

function relay(token: string | number | undefined = 'token') {
  const sent: unknown[] = [];
  const notify = (async ({ params }: { params: unknown }) => void sent.push(params)) as Notify;
  return { sent, progress: new ProgressRelay(token, notify, keepingLogger()) };
}

const values = (sent: unknown[]) => sent.map((params) => (params as { progress: number }).progress);

describe('ProgressRelay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("passes ticks on under the caller's own token, and nothing without one", async () => {
    const { sent, progress } = relay(7);
    progress.send({ progress: 1, total: 2, message: 'half' });
    await progress.settled();
    expect(sent).toEqual([{ progressToken: 7, progress: 1, total: 2, message: 'half' }]);
    const silent = relay('');
    silent.progress.send({ progress: 1 });
    await silent.progress.settled();
    expect(silent.sent).toEqual([{ progressToken: '', progress: 1 }]);
    const unasked = { sent: [] as unknown[] };
    const none = new ProgressRelay(undefined, (async () => void unasked.sent.push(1)) as Notify, keepingLogger());
    none.send({ progress: 1 });
    await none.settled();
    expect(unasked.sent).toEqual([]);
  });

  it('drops what does not grow', async () => {
    const { sent, progress } = relay();
    for (const value of [1, 1, 0.5, Number.NaN, 2]) progress.send({ progress: value });
    await progress.settled();
    expect(values(sent)).toEqual([1, 2]);
  });

  it('slows a flood down to ten a second, newest first, and sends the last one before the result', async () => {
    const { sent, progress } = relay();
    for (let value = 1; value <= 1_000; value += 1) progress.send({ progress: value });
    await vi.advanceTimersByTimeAsync(0);
    expect(values(sent)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await vi.advanceTimersByTimeAsync(100);
    expect(values(sent).slice(10)).toEqual([1_000]);
    progress.send({ progress: 1_001 });
    progress.send({ progress: 1_002 });
    await progress.settled();
    expect(values(sent).slice(10)).toEqual([1_000, 1_002]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
