import { expect, it } from 'vitest';
import { TokenCounting, type TokenCountStore } from '../../src/app/token-counting.ts';

function storeOf(count: number): TokenCountStore & { counted: Map<number, number> } {
  const waiting = Array.from({ length: count }, (_, key) => ({
    key,
    hash: `h${key}`,
    definition: JSON.stringify({ name: `tool${key}` }),
  }));
  const counted = new Map<number, number>();
  return {
    counted,
    uncountedTools: (limit) => waiting.filter(({ key }) => !counted.has(key)).slice(0, limit),
    setTokenCounts: (counts) => {
      for (const { key, tokens } of counts) counted.set(key, tokens);
    },
  };
}

/** Counts characters, and how often it was started and closed. */
function counterOf(count = async (texts: string[]) => texts.map(({ length }) => length)) {
  const made = { starts: 0, closes: 0 };
  const start = () => {
    made.starts += 1;
    return {
      count,
      close: async () => {
        made.closes += 1;
      },
    };
  };
  return { made, start };
}

it('counts every definition, in batches, with one counter that is closed', async () => {
  const store = storeOf(100);
  const { made, start } = counterOf();
  await new TokenCounting(store, start).run();
  expect(store.counted.size).toBe(100);
  expect(store.counted.get(7)).toBe('{"name":"tool7"}'.length);
  expect(made).toEqual({ starts: 1, closes: 1 });
});

it('starts no counter when nothing is new', async () => {
  const { made, start } = counterOf();
  await new TokenCounting(storeOf(0), start).run();
  expect(made).toEqual({ starts: 0, closes: 0 });
});

it('runs once at a time and stops when told', async () => {
  const store = storeOf(1_000);
  const { made, start } = counterOf();
  const counting = new TokenCounting(store, start);
  const first = counting.run();
  expect(counting.run()).toBe(first);
  await counting.stop();
  await first;
  expect(store.counted.size).toBeLessThan(1_000);
  expect(made.closes).toBe(made.starts);
});

it('stops in the middle of a batch, and tells of no fault that this makes', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { start } = counterOf(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  const counting = new TokenCounting(storeOf(5), start);
  const run = counting.run();
  const stopped = counting.stop();
  fail(new Error('ended'));
  await stopped;
  await run;
});

it('tells of a fault, and counts again when run again', async () => {
  const store = storeOf(5);
  let isBroken = true;
  const { made, start } = counterOf(async (texts) => {
    if (isBroken) throw new Error('broken');
    return texts.map(() => 1);
  });
  const counting = new TokenCounting(store, start);
  await expect(counting.run()).rejects.toThrow('broken');
  isBroken = false;
  await counting.run();
  expect(store.counted.size).toBe(5);
  expect(made).toEqual({ starts: 2, closes: 2 });
});
