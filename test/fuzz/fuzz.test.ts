import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { seed } from '../faults/seed.ts';
import { runFuzz } from './run-fuzz.ts';
import type { FuzzTarget } from './target.ts';
import { openTargets, targetNames } from './targets/index.ts';

const targets: FuzzTarget[] = await openTargets(targetNames);
afterAll(async () => {
  for (const target of targets) await target.close();
});

/** A look at each target; `npm run fuzz` takes its time. */
const durationMs = 2_000;

it.each(targets.map((target) => [target.name, target] as const))('%s takes anything', async (_name, target) => {
  const [report] = await runFuzz([target], { seed, durationMs });
  expect(report?.failure).toBeUndefined();
  expect(report?.cases).toBeGreaterThan(0);
});

it('notices what goes wrong, and says how to see it again', async () => {
  const broken: FuzzTarget<number> = {
    name: 'broken',
    cases: fc.nat(),
    run: async (value) => {
      if (value > 1_000) throw new Error('too much');
      if (value === 7) void Promise.reject(new Error('nobody listens'));
    },
    close: async () => {},
  };
  const [report] = await runFuzz([broken as FuzzTarget], { seed, durationMs });
  expect(report?.failure).toContain('too much');
  expect(report?.failure).toContain('case: 1001\n');
  expect(report?.failure).toContain(`--target broken --seed ${seed} --path `);
});
