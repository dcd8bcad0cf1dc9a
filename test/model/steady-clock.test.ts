import { expect, it, onTestFinished, vi } from 'vitest';
import { steadyNow } from '../../src/model/index.ts';

it('is near the time of day at the start, and does not follow it when that is set', () => {
  expect(Math.abs(steadyNow() - Date.now())).toBeLessThan(60_000);
  const before = steadyNow();
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 86_400_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const after = steadyNow();
  expect(after).toBeGreaterThanOrEqual(before);
  expect(after - before).toBeLessThan(60_000);
});
