import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { abortable } from '../../src/model/abortable.ts';

const never = new Promise<never>(() => {});

it('settles as its promise does, and leaves nothing on the signal', async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(1), signal, () => new Error('aborted'))).toBe(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('rejects when the signal aborts, and when it has already', async () => {
  const controller = new AbortController();
  const waiting = abortable(never, controller.signal, () => new Error('aborted'));
  controller.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await expect(abortable(never, controller.signal, () => new Error('aborted'))).rejects.toThrow('aborted');
});
