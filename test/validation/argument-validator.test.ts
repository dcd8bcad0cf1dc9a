import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { createArgumentValidator } from '../../src/validation/index.ts';

let tools = 0;

/** Validates against a schema that no other test shares. */
function validate(inputSchema: JsonObject, args: JsonObject) {
  tools += 1;
  return createArgumentValidator().validate({ hash: String(tools), inputSchema }, args);
}

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** `path rule` of each issue. */
function faults(inputSchema: JsonObject, args: JsonObject): string[] {
  const outcome = validate(inputSchema, args);
  if (outcome.ok) return outcome.skipped === undefined ? [] : [`skipped: ${outcome.skipped}`];
  return outcome.issues.map(({ path, rule }) => `${path} ${rule}`);
}

describe('arguments that fit', () => {
  it('are handed back as they are', () => {
    const args = { owner: 'a', labels: ['b'], count: 2 };
    const schema = object({ owner: { type: 'string' }, labels: { type: 'array' }, count: { type: 'integer' } });
    const outcome = validate(schema, args);
    expect(outcome).toEqual({ ok: true, value: args });
    expect(outcome.ok && outcome.value).toBe(args);
  });
});

describe('what is read without guessing', () => {
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ['an integer', { type: 'integer' }, '5', 5],
    ['an integer with spaces', { type: 'integer' }, ' 5 ', 5],
    ['a number', { type: 'number' }, '-1.50e1', -15],
    ['a boolean', { type: 'boolean' }, 'true', true],
    ['a list', { type: 'array', items: { type: 'integer' } }, '[1, 2]', [1, 2]],
    ['texts in a list', { type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2]],
    ['a text within a text', { type: 'array', items: { type: 'integer' } }, '["1"]', [1]],
    ['an object', { type: 'object' }, '{"a": "12345678901234567890"}', { a: '12345678901234567890' }],
    ['an object behind a reference', { anyOf: [{ $ref: '#/$defs/p' }, { type: 'null' }] }, '{"a":1}', { a: 1 }],
    ['the number of an enum', { type: 'integer', enum: [1, 2] }, '2', 2],
  ])('%s', (_what, schema, given, read) => {
    const $defs = { p: { type: 'object', properties: { a: { type: 'integer' } } } };
    expect(validate(object({ x: schema }, { $defs }), { x: given })).toEqual({ ok: true, value: { x: read } });
  });

  it('leaves out null for an optional parameter, and does not touch the original', () => {
    const args = { a: null, b: '1' };
    const outcome = validate(object({ a: { type: 'string' }, b: { type: 'integer' } }), args);
    expect(outcome).toEqual({ ok: true, value: { b: 1 } });
    expect(args).toEqual({ a: null, b: '1' });
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['a text where text is admitted', { type: ['string', 'integer'], maxLength: 0 }, '5'],
    [
      'a text where one alternative takes text',
      { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'integer' }] },
      '5',
    ],
    ['a text where one alternative is a text', { anyOf: [{ enum: ['a'] }, { type: 'integer' }] }, '5'],
    ['a fraction for an integer', { type: 'integer' }, '5.5'],
    ['no JSON', { type: 'integer' }, 'five'],
    ['JSON of another type', { type: 'integer' }, '[5]'],
    ['an integer that would be rounded', { type: 'integer' }, '12345678901234567890'],
    ['a list with an integer that would be rounded', { type: 'array' }, '[12345678901234567890]'],
    ['an object with one deep within', { type: 'object' }, '{"a":{"b":[1,9007199254740993]}}'],
    ['a list with a number that is no double', { type: 'array' }, '[1e400]'],
    ['a list with more digits than a double has', { type: 'array' }, '[0.12345678901234567890123]'],
    ['null for a required parameter', { type: 'integer' }, null],
  ])('but not %s', (_what, schema, given) => {
    const outcome = validate(object({ x: schema }, { required: ['x'] }), { x: given });
    expect(outcome).toMatchObject({ ok: false });
  });
});

describe('schemas that are not as they should be', () => {
  it('drops $async: the outcome is no promise', async () => {
    const schema = object({ a: { type: 'integer', $async: true } }, { $async: true, required: ['a'] });
    expect(faults(schema, {})).toEqual(['a required']);
    expect(faults(schema, { a: 1 })).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('keeps a parameter that is named like a keyword', () => {
    const properties = { $async: { type: 'integer' }, id: { type: 'integer' }, required: { type: 'boolean' } };
    const schema = object(properties, { additionalProperties: false });
    expect(faults(schema, { $async: 1, id: 1, required: true })).toEqual([]);
    expect(faults(schema, { $async: 'x', id: 'x', required: 'x' })).toEqual([
      '$async type',
      'id type',
      'required type',
    ]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('tells that %s is missing', (name) => {
    const schema = object({ a: {} }, { required: [name], additionalProperties: false });
    expect(faults(schema, { a: 1 })).toEqual([`${name} required`]);
    expect(faults(object({}, { required: [name] }), JSON.parse(`{"${name}": 1}`))).toEqual([]);
    expect(faults(object({}, { additionalProperties: false }), JSON.parse(`{"${name}": 1}`))).toEqual([
      `${name} additionalProperties`,
    ]);
  });

  it.each<[string, JsonObject]>([
    [
      'recursion to the root',
      { type: 'object', properties: { n: { type: 'integer' }, kids: { items: { $ref: '#' } } } },
    ],
    [
      'recursion to the root from a definition',
      object(
        { n: { type: 'integer' }, kids: { $ref: '#/$defs/kids' } },
        { $defs: { kids: { type: 'array', items: { $ref: '#' } } } },
      ),
    ],
    [
      'recursion to the root of a draft-07 schema with an id',
      object(
        { n: { type: 'integer' }, kids: { items: { $ref: '#' } } },
        { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/tree' },
      ),
    ],
  ])('follows %s', (_what, schema) => {
    expect(faults(schema, { n: 1, kids: [{ n: 2, kids: [] }] })).toEqual([]);
    expect(faults(schema, { n: 1, kids: [{ kids: [{ n: 'x' }] }] })).toEqual(['kids[0].kids[0].n type']);
  });

  it.each<[string, JsonObject]>([
    ['required: true', { type: 'string', required: true }],
    ['nullable without type', { nullable: true }],
    ['nullable: false beside null', { type: ['string', 'null'], nullable: false }],
    ['type "dict"', { type: 'dict' }],
    ['type "str"', { type: 'str' }],
    ['an empty list of types', { type: [] }],
    ['a type that is an object', { type: { a: 1 } }],
    ['properties that are a list', { properties: [] }],
    ['a property that is text', { properties: { x: 'string' } }],
    ['items that are text', { items: 'string' }],
    ['an empty enum', { enum: [] }],
    ['an enum that is text', { enum: 'a' }],
    ['an empty anyOf', { anyOf: [] }],
    ['a branch that is null', { anyOf: [null, { type: 'integer' }] }],
    ['a bad pattern', { pattern: '(?P<a>' }],
    ['a bad property pattern', { patternProperties: { '(?P<a>': { type: 'integer' } }, additionalProperties: false }],
    ['a limit that is text', { minLength: '3', minimum: '1', maxItems: -1, multipleOf: 0 }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['a reference to something that is no schema', { $ref: '#/type' }],
    ['a reference to a meta-schema', { $ref: 'http://json-schema.org/draft-07/schema#' }],
    ['a reference to a file', { $ref: 'other.json#/a' }],
    ['a reference that is no text', { $ref: 1 }],
    ['two equal ids', { anyOf: [{ $id: 'urn:a' }, { $id: 'urn:a', type: 'string' }] }],
    ['an id that is no URI', { $id: '::\\%%' }],
    ['an unknown format', { type: 'string', format: 'card-number' }],
  ])('checks the rest beside %s', (_what, odd) => {
    const schema = object({ odd, a: { type: 'integer' } }, { required: ['a'] });
    expect(faults(schema, { a: 1, odd: 'text' })).toEqual([]);
    expect(faults(schema, { a: 1, odd: { free: ['form'] } }).filter((fault) => !fault.startsWith('odd'))).toEqual([]);
    expect(faults(schema, { a: 'x' })).toEqual(['a type']);
  });

  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ['exclusiveMinimum: true', { minimum: 1, exclusiveMinimum: true }, 1, 2],
    ['exclusiveMaximum: false', { maximum: 1, exclusiveMaximum: false }, 2, 1],
    ['items as a list', { items: [{ type: 'integer' }], additionalItems: false }, [1, 2], [1]],
    ['nullable', { type: 'string', nullable: true }, 1, null],
    ['dependencies', { dependencies: { a: ['b'] } }, { a: 1 }, { a: 1, b: 1 }],
  ])('reads %s of older drafts and of OpenAPI', (_what, schema, bad, good) => {
    expect(faults(object({ x: schema }), { x: bad })).toHaveLength(1);
    expect(faults(object({ x: schema }), { x: good })).toEqual([]);
  });

  it('passes on what recurses without end, with the reason', () => {
    expect(validate({ $ref: '#' }, { a: 1 })).toMatchObject({ ok: true, value: { a: 1 }, skipped: expect.any(String) });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a schema that nests too deep', nested(300), {}],
    ['a schema with too many values', { enum: Array.from({ length: 60_000 }, (_, index) => index) }, {}],
    ['arguments that nest too deep', object({ not: { type: 'object' } }), nested(150)],
    ['too many arguments', object({ list: { items: { type: 'string' } } }), { list: manyValues }],
  ])('passes on %s, with the reason', (_what, schema, args) => {
    expect(validate(schema, args)).toEqual({ ok: true, value: args, skipped: expect.any(String) });
  });
});

const manyValues = Array.from({ length: 30_000 }, () => 1);

describe('arguments that are not checked in full', () => {
  const properties = { a: { type: 'string' }, n: { $ref: '#/$defs/n' }, list: { type: 'array' }, not: {} };
  const $defs = { n: { type: 'integer' } };
  const inputSchema = object(properties, { $defs, required: ['a'], additionalProperties: false });

  it.each<[string, JsonObject]>([
    ['too many', { list: manyValues }],
    ['too deep', nested(150)],
  ])('still need their names and types: %s', (_what, big) => {
    expect(faults(inputSchema, { ...big, n: 'x', b: 1 })).toEqual(['a required', 'b additionalProperties', 'n type']);
    expect(faults(inputSchema, { ...big, a: 'x' })).toEqual([expect.stringMatching(/^skipped: /)]);
  });

  it('are still read where they came as text or null', () => {
    const outcome = validate(inputSchema, { a: 'x', n: '5', list: manyValues });
    expect(outcome).toMatchObject({ ok: true, value: { a: 'x', n: 5 }, skipped: expect.any(String) });
  });

  it('need what the parts of a schema need', () => {
    const parts = { allOf: [{ $ref: '#/$defs/part' }], $defs: { part: object({}, { required: ['a'] }) } };
    expect(faults({ type: 'object', ...parts }, { list: manyValues })).toEqual(['a required']);
  });

  it('need the names of a schema that does not compile', () => {
    const schema = object({ a: {}, b: { $ref: '#/properties/b' } }, { required: ['a'] });
    expect(faults({ ...schema, anyOf: [nested(300)] }, {})).toEqual(['a required']);
  });

  it('are refused when they nest too deep to be passed on', () => {
    expect(faults(object({}), nested(201))).toEqual([' depth']);
    expect(faults(object({}), { list: manyValues, ...nested(201) })).toEqual([' depth']);
    expect(faults(object({}), nested(100_000))).toEqual([' depth']);
  });
});

function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level += 1) value = { not: value };
  return value;
}

describe('a schema that takes too long', () => {
  const inputSchema = object({ a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'integer' } });

  it('is checked again for the next call, and for this one by names and types', () => {
    const validator = createArgumentValidator();
    const tool = { hash: 'slow', inputSchema };
    const slow = `${'a'.repeat(60)}!`;
    expect(validator.validate(tool, { a: slow })).toMatchObject({
      ok: true,
      skipped: expect.stringContaining('longer than'),
    });
    expect(validator.validate(tool, { a: slow, b: 'x' })).toMatchObject({ ok: false, issues: [{ path: 'b' }] });
    expect(validator.validate(tool, { a: 'b' })).toMatchObject({ ok: false, issues: [{ path: 'a', rule: 'pattern' }] });
  });

  it('counts as a fit for that value alone', () => {
    const validator = createArgumentValidator();
    expect(validator.fits('output', inputSchema, { a: `${'a'.repeat(60)}!` })).toBe(true);
    expect(validator.fits('output', inputSchema, { b: 'x' })).toBe(false);
  });
});

describe('fits', () => {
  it.each<[string, JsonValue, boolean]>([
    ['a value that fits', [1], true],
    ['one that does not', ['1'], false],
    ['one too big to check', Array.from({ length: 30_000 }, () => 'x'), true],
  ])('%s', (_what, value, expected) => {
    const schema = { type: 'array', items: { type: 'integer' } };
    expect(createArgumentValidator().fits('output', schema, value)).toBe(expected);
  });
});
