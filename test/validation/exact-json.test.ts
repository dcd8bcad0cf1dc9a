import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../src/validation/exact-json.ts';

describe('parseExactly', () => {
  it.each([
    '5',
    '-0.10',
    '1.0',
    '100000',
    '1e3',
    '1E+3',
    '15e-1',
    '0.000001',
    '9007199254740991',
    '"12345678901234567890"',
    '{"12345678901234567890":"\\"1e999"}',
    '[]',
    'null',
  ])('reads %s', (text) => {
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '12345678901234567890',
    '9007199254740992',
    '1e21',
    '-9007199254740993',
    '[1,{"a":12345678901234567890}]',
    '0.12345678901234567890123',
    '1e400',
    '1e-400',
    '1.00000000000000000001',
    '{"a":"x\\\\","b":12345678901234567890}',
  ])('refuses %s, whose digits would change', (text) => {
    expect(parseExactly(text)).toBeUndefined();
  });

  it.each(['', 'five', '{', '01', '5 6', "'a'", 'NaN'])('refuses %j, which is no JSON', (text) => {
    expect(parseExactly(text)).toBeUndefined();
  });

  it('reads every double of its own shortest form', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
        const isUnsafe = Number.isInteger(number) && !Number.isSafeInteger(number);
        const expected = isUnsafe ? undefined : JSON.parse(JSON.stringify(number));
        expect(parseExactly(JSON.stringify(number))).toEqual(expected);
      }),
    );
  });
});
