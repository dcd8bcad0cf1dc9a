import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsOf, fieldsOf } from '../../src/console/page/form-values.ts';
import type { JsonObject } from '../../src/model/index.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    note: { type: 'string', description: 'A note' },
    count: { type: 'integer' },
    isOpen: { type: 'boolean' },
    size: { enum: ['s', 2, null] },
    tags: { type: 'array', items: { type: 'string' } },
    deep: { type: 'object' },
    any: {},
  },
  required: ['count'],
};

describe('a form made from a schema', () => {
  it('has the required fields first, and a control for each kind', () => {
    const kinds = fieldsOf(schema).map(({ name, kind, isRequired }) => [name, kind, isRequired]);
    expect(kinds).toEqual([
      ['count', 'number', true],
      ['note', 'text', false],
      ['isOpen', 'boolean', false],
      ['size', 'choice', false],
      ['tags', 'list', false],
      ['deep', 'json', false],
      ['any', 'json', false],
    ]);
  });

  it('makes arguments of what was typed, and leaves out what was left empty', () => {
    const typed = { note: '12', count: '3', isOpen: 'false', size: 'null', tags: 'a\n\nb', deep: '{"x":[1]}', any: '' };
    expect(argumentsOf(fieldsOf(schema), typed)).toEqual({
      note: '12',
      count: 3,
      isOpen: false,
      size: null,
      tags: ['a', 'b'],
      deep: { x: [1] },
    });
  });

  it('says which field is not what it should be', () => {
    expect(() => argumentsOf(fieldsOf(schema), { count: 'many' })).toThrow('count: "many" is not a number.');
    expect(() => argumentsOf(fieldsOf(schema), { deep: '{' })).toThrow('deep: "{" is not JSON.');
  });

  it('takes names that every object has for names of fields', () => {
    const names = ['constructor', 'toString', '__proto__'];
    const properties = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`) as JsonObject;
    const fields = fieldsOf({ properties });
    expect(fields.map(({ name }) => name)).toEqual(names);
    expect(Object.keys(argumentsOf(fields, {}))).toEqual([]);
    const typed = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    expect(JSON.stringify(argumentsOf(fields, typed))).toBe('{"constructor":"y","__proto__":"x"}');
  });

  it('takes whatever a server calls a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (properties, required) => {
        const fields = fieldsOf({ properties, required } as JsonObject);
        expect(argumentsOf(fields, {})).toEqual({});
      }),
    );
  });
});
