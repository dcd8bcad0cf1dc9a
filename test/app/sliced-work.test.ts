import { expect, it } from 'vitest';
import { SlicedWork } from '../../src/app/sliced-work.ts';

/** A store with so many slices of work. */
function storeOf(slices: number) {
  const store = { done: 0, work: () => ++store.done < slices };
  return store;
}

it('works slice by slice until nothing is left, once at a time', async () => {
  const store = storeOf(5);
  const indexing = new SlicedWork(store.work);
  const run = indexing.run();
  expect(store.done).toBe(0);
  expect(indexing.run()).toBe(run);
  await run;
  expect(store.done).toBe(5);
  await indexing.run();
  expect(store.done).toBe(6);
});

it('stops when told', async () => {
  const store = storeOf(Number.POSITIVE_INFINITY);
  const indexing = new SlicedWork(store.work);
  const run = indexing.run();
  indexing.stop();
  await run;
  expect(store.done).toBe(0);
});

it('is waited for no longer than asked, and not at all when idle', async () => {
  const store = storeOf(Number.POSITIVE_INFINITY);
  const indexing = new SlicedWork(store.work);
  await indexing.wait(1e6);
  const run = indexing.run();
  await indexing.wait(20);
  expect(store.done).toBeGreaterThan(0);
  indexing.stop();
  await indexing.wait(1e6);
  await run;
});

it('tells of a failure by run alone', async () => {
  const indexing = new SlicedWork(() => {
    throw new Error('broken');
  });
  const run = indexing.run();
  await indexing.wait(1e6);
  await expect(run).rejects.toThrow('broken');
});
