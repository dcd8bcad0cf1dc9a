import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJsonc } from '../../src/config/edit-jsonc.ts';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';

const parsed = (text: string) => parseJsonc('x.json', text).source.value;

describe('editJsonc', () => {
  it('keeps comments, order and trailing commas around what it changes', () => {
    const text = '{\n  // first\n  "a": 1, // one\n  "list": { "x": {} },\n  /* last */ "z": [1,2,],\n}\n';
    expect(editJsonc(text, [{ path: ['list'], value: { y: 1 } }])).toBe(
      '{\n  // first\n  "a": 1, // one\n  "list": {\n    "y": 1\n  },\n  /* last */ "z": [1,2,],\n}\n',
    );
  });

  it('writes like the file: tabs, CRLF, byte order mark', () => {
    const text = '\uFEFF{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n';
    expect(editJsonc(text, [{ path: ['a', 'c'], value: { d: 2 } }])).toBe(
      '\uFEFF{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it.each(['', ' \n', '{}'])('starts an object in %j', (text) => {
    expect(parsed(editJsonc(text, [{ path: ['a', 'b'], value: 1 }]))).toEqual({ a: { b: 1 } });
  });

  it('removes a value', () => {
    expect(parsed(editJsonc('{"a": 1, "b": 2}', [{ path: ['a'], value: undefined }]))).toEqual({ b: 2 });
  });

  it('leaves every other value as it is, whatever the keys', () => {
    const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true }),
        key,
        fc.jsonValue(),
        (object, name, value) => {
          const text = JSON.stringify(object, null, 2);
          // What JSON cannot tell apart is equal: -0 and 0.
          const expected = JSON.parse(JSON.stringify({ ...object, [name]: value }));
          expect(parsed(editJsonc(text, [{ path: [name], value: JSON.parse(JSON.stringify(value)) }]))).toEqual(
            expected,
          );
        },
      ),
    );
  });

  it.each([
    ['{"a": {}, "a": {"x": 1}}', ['a'], { y: 1 }],
    ['{"a": []}', ['a', 'b'], 1],
    ['{"a": "text"}', ['a', 'b'], 1],
    ['[]', ['a'], 1],
  ])('does not pretend to have changed %s', (text, path, value) => {
    expect(() => editJsonc(text, [{ path, value }])).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  });
});
