import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeUnseen } from '../../src/render/escape-unseen.ts';

it.each([
  ['\u202e', '\\u202e'],
  ['\u009b', '\\u009b'],
  ['\u2028', '\\u2028'],
  ['\u200b', '\\u200b'],
  ['\ufe0f', '\\ufe0f'],
  ['\u3164', '\\u3164'],
  // Tags are told apart by their second code unit.
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\u{e0042}', '\\udb40\\udc42'],
])('escapes %j', (character, escaped) => {
  expect(escapeUnseen(JSON.stringify(`a${character}b`))).toBe(`"a${escaped}b"`);
});

it('leaves the meaning, and what is seen, as it was', () => {
  expect(escapeUnseen('{\n  "名前": "Zoë 🙂"\n}')).toBe('{\n  "名前": "Zoë 🙂"\n}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value, null, 2);
      expect(JSON.parse(escapeUnseen(json))).toEqual(JSON.parse(json));
    }),
  );
});
