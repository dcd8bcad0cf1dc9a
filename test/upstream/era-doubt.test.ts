import { describe, expect, it } from 'vitest';
import type { EraVerdict } from '../../src/model/index.ts';
import { EraDoubt } from '../../src/upstream/era-doubt.ts';

const legacy: EraVerdict = { era: 'legacy', protocolVersion: '2025-11-25', decidedAt: 1 };
const modern: EraVerdict = { era: 'modern', protocolVersion: '2026-07-28', decidedAt: 1 };

describe('EraDoubt', () => {
  it('leaves a verdict out after a failure, and uses it again after another', () => {
    const doubt = new EraDoubt();
    expect(doubt.verdict(legacy)).toBe(legacy);
    doubt.openingFailed();
    expect(doubt.verdict(legacy)).toBeUndefined();
    doubt.openingFailed();
    expect(doubt.verdict(legacy)).toBe(legacy);
    doubt.openingFailed();
    doubt.opened();
    expect(doubt.verdict(modern)).toBe(modern);
  });

  it('takes a modern server that ended before it did anything as an old one, once', () => {
    const doubt = new EraDoubt();
    doubt.opened();
    doubt.broke(modern);
    expect([doubt.isModernDoubted, doubt.verdict(modern)?.era]).toEqual([true, 'legacy']);
    doubt.openingFailed();
    expect([doubt.isModernDoubted, doubt.verdict(modern)]).toEqual([false, undefined]);
  });

  it('trusts one that has answered, and old ones', () => {
    const doubt = new EraDoubt();
    doubt.opened();
    doubt.answered();
    doubt.broke(modern);
    expect(doubt.verdict(modern)).toBe(modern);
    doubt.opened();
    doubt.broke(legacy);
    expect(doubt.verdict(legacy)).toBe(legacy);
  });
});
