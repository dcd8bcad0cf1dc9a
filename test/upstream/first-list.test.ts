import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../src/model/index.ts';
import { FirstList } from '../../src/upstream/first-list.ts';
import type { ServerCatalog } from '../../src/upstream/server-catalog.ts';
import { tool } from './harness.ts';

function setUp(status: Tool['status'] = 'ok') {
  const firstList = new FirstList('srv', { statusOf: () => status } as unknown as ServerCatalog);
  const list = underWay();
  const controller = new AbortController();
  let isThrough = false;
  const confirm = () =>
    firstList.confirm(tool('srv', 'do'), controller.signal).then(() => {
      isThrough = true;
    });
  return { firstList, list, confirm, controller, isThrough: () => isThrough };
}

function underWay() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((onEnd, onFailure) => {
    resolve = onEnd;
    reject = onFailure;
  });
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}

describe('the first list of a connection', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each(['ends', 'fails'])('is waited for until it %s', async (how) => {
    const { firstList, list, confirm, isThrough } = setUp();
    firstList.began(list.promise);
    const confirmed = confirm();
    await vi.advanceTimersByTimeAsync(100);
    expect(isThrough()).toBe(false);
    if (how === 'fails') list.reject(new Error('gone'));
    else list.resolve();
    await confirmed;
  });

  it('refuses a tool whose definition it found changed', async () => {
    const { firstList, list, confirm } = setUp('changed');
    firstList.began(list.promise);
    list.resolve();
    await expect(confirm()).rejects.toMatchObject({ code: 'definition_changed', details: { mayHaveRun: false } });
    // Later calls were looked up after the list.
    await confirm();
  });

  it('is given up by a call that is cancelled', async () => {
    const { firstList, list, confirm, controller } = setUp();
    firstList.began(list.promise);
    const confirmed = confirm();
    controller.abort();
    await expect(confirmed).rejects.toMatchObject({ code: 'cancelled', details: { mayHaveRun: false } });
  });
});
