import { describe, expect, it } from 'vitest';
import { parseCallArguments } from '../../src/cli/call-arguments.ts';
import { temporaryFile } from '../config/temporary-folder.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    choice: { enum: ['1', 'a'] },
    mixed: { enum: [1, 'a'] },
    count: { type: 'integer' },
  },
};

describe('parseCallArguments', () => {
  it.each([
    [[], {}],
    [['{"a": {"b": [1]}}'], { a: { b: [1] } }],
    [['count=5', 'on=true', 'list=[1,"x"]', 'none=null'], { count: 5, on: true, list: [1, 'x'], none: null }],
    [
      ['zip=01234', 'word=hello world', 'empty=', 'eq=a=b'],
      { zip: '01234', word: 'hello world', empty: '', eq: 'a=b' },
    ],
    [['text=5', 'choice=1', 'mixed=1'], { text: '5', choice: '1', mixed: 1 }],
    [['text="quoted"'], { text: 'quoted' }],
    [['toString=5'], { toString: 5 }],
    [['{"a": 1, "b": 1}', 'b=2'], { a: 1, b: 2 }],
  ])('reads %j', (words, expected) => {
    expect(parseCallArguments(words, schema)).toEqual(expected);
  });

  it('reads a file', () => {
    const path = temporaryFile('args.json', '{"a": 1}');
    expect(parseCallArguments([`@${path}`, 'b=2'])).toEqual({ a: 1, b: 2 });
  });

  it.each([
    [['word'], 'Expected a JSON object, @file or key=value after --args, got "word".'],
    [['=5'], 'got "=5"'],
    [['{"a": }'], 'Expected a JSON object of arguments in --args, got text that is not valid JSON.'],
    [['a=1', 'a=2'], 'The argument "a" is given twice.'],
    [['@/none/such.json'], 'The file of arguments /none/such.json cannot be read: ENOENT'],
    [[`@${import.meta.filename}`], 'got text that is not valid JSON'],
  ])('refuses %j', (words, message) => {
    expect(() => parseCallArguments(words)).toThrow(
      expect.objectContaining({ code: 'usage_invalid', message: expect.stringContaining(message) }),
    );
  });

  it('refuses a file with a list', () => {
    const path = temporaryFile('args.json', '[1]');
    expect(() => parseCallArguments([`@${path}`])).toThrow(`in ${path}, got a list.`);
  });
});
