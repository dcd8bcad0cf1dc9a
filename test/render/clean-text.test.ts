import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capText, cleanText, stripControls } from '../../src/render/index.ts';

describe('stripControls', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a C1 sequence', '\u009b1mbold', 'bold'],
    ['a terminal title', 'a\u001b]0;title\u0007b', 'ab'],
    ['a link', '\u001b]8;;https://x.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a bell and a backspace', 'a\u0007b\u0008c', 'abc'],
    ['nothing', 'line\n\ttab\r\nümlaut 漢字 👩‍💻', 'line\n\ttab\r\nümlaut 漢字 👩‍💻'],
  ])('takes out %s', (_, text, expected) => {
    expect(stripControls(text)).toBe(expected);
  });

  it('ends quickly on text that is all openings', () => {
    expect(stripControls('\u001b]'.repeat(50_000))).toBe('');
  });
});

describe('cleanText', () => {
  it('shows one line without what cannot be seen', () => {
    expect(cleanText('a\n b\u2028c\u202ed\u200be\ufeff f\u{e0041}g\ud800')).toBe('a b cde fg');
  });

  it('leaves one line of visible text, and is done after one pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cleaned = cleanText(text);
        expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
    );
  });
});

describe('capText', () => {
  it('cuts after a word and says so', () => {
    expect(capText('one two three four', 15)).toBe('one two three…');
    expect(capText('short', 15)).toBe('short');
    expect(capText('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
  });

  it('never exceeds its room and never halves a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, maxChars) => {
        const capped = capText(text, maxChars);
        expect(capped.length).toBeLessThanOrEqual(Math.max(maxChars, 1));
        expect(capped).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});
