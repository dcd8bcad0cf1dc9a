import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, singleLine } from '../../../src/cli/output/plain-text.ts';

describe('printable', () => {
  it.each([
    ['a\nb\tc', 'a\nb\tc'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007x', 'x'],
    ['a\u0007\u0000\u009bz', 'az'],
    ['\u202eabc\u2066d\u200f', 'abcd'],
    ['hi\u{E0041}dden', 'hidden'],
    ['family 👨‍👩‍👧 漢字 é', 'family 👨‍👩‍👧 漢字 é'],
  ])('%j prints as %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});

describe('singleLine', () => {
  it.each([
    ['a\n\n  b\tc ', 'a b c'],
    ['a\u2028b\u2029c\u0085d', 'a b cd'],
    ['\u001b[1mx\u001b[0m\r\ny', 'x y'],
  ])('%j prints as %j', (text, expected) => {
    expect(singleLine(text)).toBe(expected);
  });

  it('never leaves what moves a cursor, ends a line or turns the direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(singleLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
        expect(printable(text).replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });
});
