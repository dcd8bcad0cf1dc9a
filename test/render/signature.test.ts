import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { signature } from '../../src/render/index.ts';
import { parameterName } from '../../src/render/type-expression.ts';

const object = (properties: JsonObject, required: string[] = [], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const show = (inputSchema: JsonObject, maxChars?: number) =>
  signature({ name: 'f', inputSchema }, maxChars === undefined ? {} : { maxChars });
const typeOf = (schema: JsonValue, more: JsonObject = {}) => show(object({ x: schema }, ['x'], more)).slice(5, -1);

describe('signature', () => {
  it('puts required parameters first and counts what does not fit', () => {
    const optional = Object.fromEntries(['labels', 'assignee', 'milestone'].map((name) => [name, { type: 'string' }]));
    const schema = object({ ...optional, owner: { type: 'string' }, title: { type: 'string' } }, ['owner', 'title']);
    expect(show(schema)).toBe(
      'f(owner: string, title: string, labels?: string, assignee?: string, milestone?: string)',
    );
    expect(show(schema, 60)).toBe('f(owner: string, title: string, labels?: string, …+2)');
  });

  it.each<[string, JsonValue, string]>([
    ['an enum', { enum: ['open', 'closed'] }, '"open"|"closed"'],
    ['a long enum', { enum: Array.from({ length: 12 }, (_, i) => `v${i}`) }, /^"v0"\|.*\|"v7"\|…\+4$/.source],
    ['a constant', { const: 3 }, '3'],
    ['oneOf of constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, '"a"|"b"'],
    ['nullable by type', { type: ['string', 'null'] }, 'string|null'],
    ['nullable by keyword', { type: 'string', nullable: true }, 'string|null'],
    ['an array', { type: 'array', items: { type: 'integer' } }, 'integer[]'],
    ['an array of unions', { type: 'array', items: { enum: ['a', 'b'] } }, '("a"|"b")[]'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }, '[number, string]'],
    ['a date', { type: 'string', format: 'date-time' }, 'string<date-time>'],
    ['a small object', object({ a: { type: 'string' }, b: { type: 'number' } }, ['a']), '{a: string, b?: number}'],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, '{[key]: string}'],
    ['an open object', { type: 'object' }, 'object'],
    ['anything', {}, 'any'],
    ['nothing', false, 'never'],
    ['an inherited type', { type: 'string', anyOf: [{ format: 'date' }, { pattern: 'x' }] }, 'string<date>|string'],
  ])('shows %s', (_, schema, expected) => {
    expect(typeOf(schema)).toMatch(expected.startsWith('^') ? new RegExp(expected) : expected);
  });

  it('follows local references, also into siblings, and ends cycles', () => {
    expect(typeOf({ $ref: '#/$defs/Id' }, { $defs: { Id: { type: 'integer' } } })).toBe('integer');
    const sibling = object({ a: { type: 'array', items: { type: 'boolean' } }, x: { $ref: '#/properties/a/items' } }, [
      'x',
    ]);
    expect(show(sibling)).toBe('f(x: boolean, a?: boolean[])');
    const tree = { $defs: { Node: object({ next: { $ref: '#/$defs/Node' } }) } };
    expect(typeOf({ $ref: '#/$defs/Node' }, tree)).toBe('{next?: any}');
  });

  it('takes the parameters of allOf and what all alternatives of anyOf demand', () => {
    const schema: JsonObject = {
      type: 'object',
      allOf: [object({ a: { type: 'string' } }, ['a'])],
      anyOf: [object({ b: { type: 'string' }, c: {} }, ['b', 'c']), object({ b: { type: 'string' } }, ['b'])],
    };
    expect(show(schema)).toBe('f(a: string, b: string, c?: any)');
  });

  it('keeps hostile text on one line, harmless and short', () => {
    const schema = object({ 'a\n\u001b[31mred\u202e': { enum: ['x\ny', 'z'.repeat(500)] } }, [
      'a\n\u001b[31mred\u202e',
    ]);
    const line = show(schema);
    expect(line).toBe(`f("a red": "x y"|"${'z'.repeat(31)}…")`);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each<[string, (index: number) => string, number]>([
    ['64 parameters', (index) => `p${index}`, 64],
    ['1,500 characters', (index) => `${'x'.repeat(90)}_${String(index).padStart(4, '0')}`, 15],
  ])('shows required parameters up to %s, counts the rest and says where they are', (_, nameOf, expected) => {
    const names = Array.from({ length: 2_000 }, (_parameter, index) => nameOf(index));
    const line = show(object(Object.fromEntries(names.map((name) => [name, {}])), names));
    expect(line).toBe(`f(${names.slice(0, expected).join(', ')}, …+${2_000 - expected} required: see describe_tool)`);
    const few = names.slice(0, expected);
    expect(show(object({ ...Object.fromEntries(few.map((name) => [name, {}])), o: {} }, few))).toBe(
      `f(${few.join(', ')}, …+1)`,
    );
  });

  it('never loses a required parameter within those bounds, whatever the schema', () => {
    fc.assert(
      fc.property(schemaArbitrary, fc.integer({ min: 0, max: 400 }), (schema, maxChars) => {
        const line = show(schema, maxChars);
        for (const name of schema.required as string[]) {
          const shown = parameterName(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
          expect(line).toMatch(new RegExp(`[(, ]${shown}[:,)]`));
        }
        expect(line).not.toMatch(/[\n\r]/);
      }),
      { numRuns: 300 },
    );
  });

  it('ends quickly on references that double at each level', () => {
    const levels = Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      object({ a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } }),
    ]);
    const schema = object({ x: { $ref: '#/$defs/d0' } }, ['x'], { $defs: Object.fromEntries(levels) });
    expect(show(schema).length).toBeLessThan(300);
  });
});

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(
    {},
    true,
    false,
    null,
    { type: 'string' },
    { type: 'integer' },
    { $ref: '#' },
    { $ref: '#/nowhere' },
  ),
  fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 20 }) }),
);
const { node } = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.array(tie('node'), { maxLength: 4 }) }),
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.string(), tie('node'), { maxKeys: 4 }) }),
  ),
}));
const schemaArbitrary = fc
  .dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), node, { maxKeys: 12, noNullPrototype: true })
  .chain((properties) =>
    fc.record({
      type: fc.constant('object'),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
    }),
  ) as fc.Arbitrary<JsonObject>;
