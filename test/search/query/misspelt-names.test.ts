import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { MisspeltNames } from '../../../src/search/query/misspelt-names.ts';

const names = new MisspeltNames(['createissue', 'listissues', 'getissue', 'getissues', 'search', 'ls']);

describe('MisspeltNames', () => {
  it.each([
    ['createisue', [['createissue', 1]]],
    ['craeteissue', [['createissue', 2]]],
    ['getisue', [['getissue', 1]]],
    [
      'getissuees',
      [
        ['getissues', 1],
        ['getissue', 2],
      ],
    ],
    ['createissue', []],
    ['serch', [['search', 1]]],
    ['srch', []],
    ['la', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(names.near(text).map(({ form, edits }) => [form, edits])).toEqual(expected);
  });

  it('finds what a comparison with every name finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '1'), minLength: 5, maxLength: 12 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 8 }), word, (forms, text) => {
        const limit = text.length <= 7 ? 1 : 2;
        const expected = forms.filter((form) => distance(form, text) > 0 && distance(form, text) <= limit);
        const found = new MisspeltNames(forms).near(text).map(({ form }) => form);
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });
});
