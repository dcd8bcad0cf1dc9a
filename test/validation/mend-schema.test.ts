import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { dialectOf } from '../../src/validation/dialect.ts';
import { dropUnresolvable, mendSchema } from '../../src/validation/mend-schema.ts';

describe('dialectOf', () => {
  it.each<[unknown, string]>([
    [undefined, '2020-12'],
    [5, '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
    ['http://json-schema.org/draft-07/schema#', 'draft-07'],
    ['http://json-schema.org/draft-06/schema#', 'draft-07'],
    ['http://json-schema.org/draft-04/schema#', 'draft-07'],
    ['https://example.com/own', '2020-12'],
  ])('of $schema %j is %s', ($schema, dialect) => {
    expect(dialectOf($schema === undefined ? {} : ({ $schema } as JsonObject))).toBe(dialect);
  });
});

describe('mendSchema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'what is right',
      { type: 'object', properties: { a: { enum: [1] } } },
      { type: 'object', properties: { a: { enum: [1] } } },
    ],
    [
      'unknown keywords',
      { 'x-a': { type: 'dict' }, deprecated: 'yes' },
      { 'x-a': { type: 'dict' }, deprecated: 'yes' },
    ],
    [
      'values that look like schemas',
      { const: { type: 'dict' }, default: { required: true } },
      { const: { type: 'dict' }, default: { required: true } },
    ],
    [
      'wrong keywords deep within',
      { allOf: [{ items: { anyOf: [{ type: 'str', minimum: 1 }] } }] },
      { allOf: [{ items: { anyOf: [{ minimum: 1 }] } }] },
    ],
    [
      'wrong keywords behind a reference',
      { $ref: '#/components/a', components: { a: { type: 'str' } } },
      { $ref: '#/components/a', components: { a: {} } },
    ],
    [
      'parameters that are named like keywords',
      { properties: { type: { type: 'str' }, $async: {} } },
      { properties: { type: {}, $async: {} } },
    ],
    [
      'members that are no schemas',
      { properties: { a: 'x' }, anyOf: [1, {}] },
      { properties: { a: true }, anyOf: [true, {}] },
    ],
    ['exclusive bounds', { minimum: 1, exclusiveMinimum: true, exclusiveMaximum: true }, { exclusiveMinimum: 1 }],
    ['tuples', { items: [{}], additionalItems: false }, { prefixItems: [{}], items: false }],
    ['dependencies', { dependencies: { a: ['b'], b: {}, c: 1 } }, { dependencies: { a: ['b'], b: {}, c: true } }],
    [
      'a bad property pattern',
      { patternProperties: { '(': {}, a: {} }, additionalProperties: false },
      { patternProperties: { a: {} } },
    ],
  ])('%s', (_what, schema, mended) => {
    const before = structuredClone(schema);
    expect(mendSchema(schema, '2020-12')).toEqual(mended);
    expect(schema).toEqual(before);
  });

  it('leaves tuples to the dialects that have them', () => {
    expect(mendSchema({ items: [{}] }, 'draft-07')).toEqual({ items: [{}] });
  });
});

describe('dropUnresolvable', () => {
  it('keeps only references that lead to a schema of the document', () => {
    const schema: JsonObject = {
      $id: 'urn:a',
      properties: {
        a: { $ref: '#/properties/b' },
        b: { $ref: 'urn:b', type: 'null' },
        c: { $ref: '#/properties/b/type' },
      },
    };
    dropUnresolvable(schema);
    expect(schema).toEqual({ properties: { a: { $ref: '#/properties/b' }, b: { type: 'null' }, c: {} } });
  });
});
