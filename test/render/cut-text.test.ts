import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPlain, cutText } from '../../src/render/index.ts';

const loneSurrogate = /\p{Cs}/u;

describe('cutText', () => {
  it.each([
    ['a list between its members', '[{"a":1},{"b":2},{"c":3}]', 20, '[{"a":1},{"b":2}]', '{"c":3}]'],
    ['an object between its members', '{"one":[1,2],"two":"x","three":3}', 25, '{"one":[1,2],"two":"x"}', '"three":3}'],
    ['a number not in its middle', '[1,22,333333]', 9, '[1,22]', '333333]'],
    ['one long text within it', '{"text":"aaaaaaaaaaaaaaaaaaaa"}', 20, '{"text":"aaaaaaaaaaa"}', 'aaaaaaaaa"}'],
    [
      'an escape not in its middle',
      '{"t":"aaaaaaaaaaaaaaaaa\\u00e9bbb"}',
      26,
      '{"t":"aaaaaaaaaaaaaaaaa"}',
      '\\u00e9bbb"}',
    ],
    ['indented JSON', '[\n  1,\n  2,\n  3\n]', 11, '[\n  1,\n  2]', '\n  3\n]'],
  ])('cuts %s and closes the brackets', (_, text, max, shown, rest) => {
    const cut = cutText(text, max);
    expect(cut.text).toBe(shown);
    expect(text.slice(cut.end)).toBe(rest);
  });

  it('leaves what is no JSON, or has more behind it, as text', () => {
    expect(cutText('{not json at all, really}', 10)).toEqual({ text: '{not json ', end: 10 });
    expect(cutText('[1] and then some words', 12)).toEqual({ text: '[1] and then', end: 12 });
  });

  it('ends text after a line, or else a word, near the limit', () => {
    expect(cutText(`${'a'.repeat(90)}\n${'b'.repeat(90)}`, 100).end).toBe(91);
    expect(cutText(`${'a'.repeat(97)} ${'b'.repeat(90)}`, 100).end).toBe(98);
    expect(cutText('c'.repeat(200), 100).end).toBe(100);
  });

  it('never cuts a character in two, and always gets on', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (text, max) => {
          const parts: string[] = [];
          for (let at = 0; at < text.length; ) {
            const part = cutPlain(text.slice(at), max);
            expect(part.end).toBeGreaterThan(0);
            parts.push(part.text);
            at += part.end;
          }
          expect(parts.join('')).toBe(text);
          for (const part of parts) expect(part).not.toMatch(loneSurrogate);
        },
      ),
    );
  });

  it('keeps JSON of any shape readable', () => {
    const containers = fc.oneof(fc.array(fc.jsonValue(), { minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(containers, fc.integer({ min: 1, max: 80 }), fc.boolean(), (value, max, isIndented) => {
        const text = JSON.stringify(value, null, isIndented ? 2 : undefined);
        const cut = cutText(text, max);
        expect(() => JSON.parse(cut.text)).not.toThrow();
        expect(cut.text).not.toMatch(loneSurrogate);
        expect(cut.end).toBeLessThanOrEqual(max);
      }),
    );
  });
});
