import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';

describe('parseJsonc', () => {
  it('reads comments, trailing commas and a byte order mark', () => {
    const { source, problems } = parseJsonc('/c.json', '\uFEFF{\n  // why\n  "a": [1, 2,], /* x */\n}');
    expect(problems).toEqual([]);
    expect(source.value).toEqual({ a: [1, 2] });
  });

  it('finds the place of a value, or of what is around a missing one', () => {
    const { source } = parseJsonc('/c.json', '{\n  "a": {\n    "b": [true, false]\n  }\n}');
    expect(source.locate(['a', 'b', 1])).toEqual({ line: 3, column: 17 });
    expect(source.locate(['a', 'none', 4])).toEqual({ line: 2, column: 8 });
    expect(source.locate([])).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['', 1, 1, 'expected a value'],
    ['{"a": 1 "b": 2}', 1, 9, 'expected "," between two entries'],
    ['{"a": tru}', 1, 7, 'expected a JSON value, got an unknown word'],
    ['{\n"p": "C:\\x"\n}', 2, 6, 'expected a valid escape after "\\" (a Windows path needs "\\\\")'],
    ['{"a": 1', 1, 8, 'expected "}"'],
    ["{'a': 1}", 1, 2, 'expected a JSON value, got an unknown word'],
  ])('%j has an error in line %i, column %i', (text, line, column, message) => {
    const { problems } = parseJsonc('/c.json', text);
    expect(problems[0]).toEqual({ severity: 'error', path: '/c.json', line, column, jsonPath: '', message });
  });

  it('reports a few syntax errors of many', () => {
    const { problems } = parseJsonc('/c.json', 'x '.repeat(500));
    expect(problems.length).toBeGreaterThan(1);
    expect(problems.length).toBeLessThanOrEqual(20);
  });

  it('warns of a server called like the one key that cannot be stored', () => {
    const { problems } = parseJsonc('/c.json', '{"mcpServers": {"__proto__": {"command": "node"}}}');
    expect(problems).toMatchObject([
      { severity: 'warning', line: 1, column: 30, message: expect.stringContaining('__proto__') },
    ]);
  });

  it('warns of a key given twice; the later one counts', () => {
    const { source, problems } = parseJsonc('/c.json', '{"m": {\n"a": 1,\n"a": 2}}');
    expect(source.value).toEqual({ m: { a: 2 } });
    expect(problems).toEqual([
      expect.objectContaining({
        severity: 'warning',
        line: 3,
        jsonPath: 'm.a',
        message: expect.stringContaining('twice'),
      }),
    ]);
  });
});
