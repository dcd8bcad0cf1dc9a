import { expect, it } from 'vitest';
import { TokenCounting, type TokenCountStore } from '../../src/app/token-counting.ts';
import type { Tool } from '../../src/model/index.ts';

function storeOf(count: number): TokenCountStore & { counted: Map<number, number> } {
  const waiting = Array.from(
    { length: count },
    (_, key) => ({ key, hash: `h${key}`, definition: { name: `tool${key}` } }) as unknown as Tool,
  );
  const counted = new Map<number, number>();
  return {
    counted,
    uncountedTools: (limit) => waiting.filter(({ key }) => !counted.has(key)).slice(0, limit),
    setTokenCounts: (counts) => {
      for (const { key, tokens } of counts) counted.set(key, tokens);
    },
  };
}

const loadCounter = async () => (text: string) => text.length;

it('counts every definition, in slices', async () => {
  const store = storeOf(100);
  await new TokenCounting(store, loadCounter).run();
  expect(store.counted.size).toBe(100);
  expect(store.counted.get(7)).toBe('{"name":"tool7"}'.length);
});

it('loads no tokenizer when nothing is new', async () => {
  let loads = 0;
  const counting = new TokenCounting(storeOf(0), async () => {
    loads += 1;
    return () => 0;
  });
  await counting.run();
  expect(loads).toBe(0);
});

it('runs once at a time and stops when told', async () => {
  const store = storeOf(1_000);
  const counting = new TokenCounting(store, loadCounter);
  const first = counting.run();
  expect(counting.run()).toBe(first);
  counting.stop();
  await first;
  expect(store.counted.size).toBeLessThan(1_000);
});
