import { describe, expect, it } from 'vitest';
import { stepsPerValue } from '../../src/validation/check-steps.ts';
import { createArgumentValidator } from '../../src/validation/index.ts';

describe('stepsPerValue', () => {
  it('is the size of a plain schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string', maxLength: 5 }, { enum: ['pattern-like'] }] } },
    };
    expect(stepsPerValue(schema, 12)).toBe(12);
  });

  it.each(['pattern', 'patternProperties', 'format', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef'])(
    'is infinite with %s, however deep',
    (keyword) => {
      const schema = { type: 'object', properties: { a: { items: { allOf: [{ [keyword]: 'x' }] } } } };
      expect(stepsPerValue(schema, 7)).toBe(Number.POSITIVE_INFINITY);
    },
  );
});

it('a pattern that backtracks for ever is still broken off, in however small a schema', () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const outcome = createArgumentValidator().validate({ hash: 'slow', inputSchema }, { a: `${'a'.repeat(60)}!` });
  expect(outcome).toMatchObject({ ok: true, skipped: expect.stringContaining('took longer') });
});
