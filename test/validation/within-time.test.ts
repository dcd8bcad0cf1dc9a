import { describe, expect, it } from 'vitest';
import { withinTime } from '../../src/validation/within-time.ts';

describe('withinTime', () => {
  it('hands back what the work gives', () => {
    expect(withinTime(1_000, () => 5)).toEqual({ ok: true, value: 5 });
  });

  it('passes on what the work throws', () => {
    expect(() => withinTime(1_000, () => JSON.parse('{'))).toThrow(SyntaxError);
  });

  it.each<[string, () => unknown]>([
    [
      'a loop',
      () => {
        for (;;);
      },
    ],
    ['a pattern that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
  ])('breaks off %s, and works again', (_what, work) => {
    expect(withinTime(20, work)).toEqual({ ok: false });
    expect(withinTime(1_000, () => 'next')).toEqual({ ok: true, value: 'next' });
  });
});
