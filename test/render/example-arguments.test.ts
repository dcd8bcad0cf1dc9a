import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { exampleArguments } from '../../src/render/index.ts';

const exampleOf = (schema: JsonValue, root: JsonObject = {}) =>
  exampleArguments({ type: 'object', properties: { item: schema }, required: ['item'], ...root }).item;

describe('exampleArguments', () => {
  it('fills in required parameters alone', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['b'],
    };
    expect(exampleArguments(schema)).toEqual({ b: '<b>' });
    expect(exampleArguments({ type: 'object' })).toEqual({});
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['an example', { type: 'string', examples: ['octocat'] }, 'octocat'],
    ['a default', { type: 'integer', default: 7 }, 7],
    ['no default of another type', { type: 'integer', default: 'seven' }, 1],
    ['the first of an enum', { enum: ['a', 'b'] }, 'a'],
    ['a format', { type: 'string', format: 'date' }, '2026-01-31'],
    ['a length', { type: 'string', minLength: 8 }, '<item>xx'],
    ['a minimum', { type: 'integer', minimum: 10, multipleOf: 4 }, 12],
    ['an exclusive minimum', { type: 'number', exclusiveMinimum: 0 }, 1],
    ['a maximum', { type: 'integer', maximum: -5 }, -5],
    ['items', { type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
    ['an alternative that is not null', { anyOf: [{ type: 'null' }, { type: 'number' }] }, 1],
    ['a nested object', { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }, { id: 1 }],
  ])('takes %s', (_, schema, expected) => {
    expect(exampleOf(schema)).toEqual(expected);
  });

  it('follows references and ends where they are a cycle', () => {
    const node: JsonObject = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] };
    expect(exampleOf({ $ref: '#/$defs/Node' }, { $defs: { Node: node } })).toEqual({ next: '<next>' });
  });
});
