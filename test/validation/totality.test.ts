import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { createArgumentValidator } from '../../src/validation/index.ts';

const names = ['a', 'b', '', '0', '$ref', 'type', 'constructor', 'toString', '__proto__', '\u202E', 'a/b~c', '\uD800'];

const name = fc.constantFrom(...names);

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

const reference = fc.constantFrom(
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/properties/a',
  '#/a',
  '#a',
  'a',
  'urn:a',
  '#/%',
  '#/type',
);

/** What keywords hold, most of it right. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  $schema: fc.constantFrom(
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'x',
  ),
  $id: fc.constantFrom('urn:a', 'a', '#a', 'https://example.com/a', '%', ''),
  $anchor: fc.constantFrom('a', 'b', '#', ''),
  $async: fc.boolean(),
  $ref: reference,
  $dynamicRef: reference,
  $recursiveRef: reference,
  type: fc.oneof(
    fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'dict', 'str'),
    fc.array(fc.constantFrom('string', 'integer', 'null', 'object', 'float'), { maxLength: 3 }),
  ),
  nullable: fc.boolean(),
  enum: fc.array(json, { maxLength: 3 }),
  const: json,
  pattern: fc.constantFrom('^a', '(', '(a+)+$', '\\_', '\\p{L}'),
  format: fc.constantFrom('email', 'date-time', 'uri', 'none'),
  minimum: fc.integer(),
  exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
  multipleOf: fc.double(),
  minLength: fc.integer({ min: -1, max: 3 }),
  required: fc.oneof(fc.boolean(), fc.array(name, { maxLength: 4 })),
  dependentRequired: fc.dictionary(name, fc.array(name)),
  uniqueItems: fc.boolean(),
};

const schema = fc.letrec<{ schema: JsonObject | boolean | JsonValue }>((tie) => {
  const members = fc.dictionary(name, tie('schema'), { maxKeys: 3 });
  const list = fc.array(tie('schema'), { maxLength: 3 });
  const nested: Record<string, fc.Arbitrary<unknown>> = {
    properties: members,
    patternProperties: fc.dictionary(fc.constantFrom('^a', '(', ''), tie('schema')),
    $defs: members,
    dependencies: fc.dictionary(name, fc.oneof(tie('schema'), fc.array(name))),
    items: fc.oneof(tie('schema'), list),
    prefixItems: list,
    anyOf: list,
    oneOf: list,
    allOf: list,
  };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'contains']) {
    nested[keyword] = tie('schema');
  }
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.boolean(),
      fc.record({ ...values, ...nested }, { requiredKeys: [] }),
      fc.record(values, { requiredKeys: [] }),
      json,
    ) as fc.Arbitrary<JsonValue>,
  };
}).schema;

const inputSchema = fc
  .oneof(schema, fc.dictionary(fc.constantFrom(...Object.keys(values), 'properties', 'items', 'anyOf', 'allOf'), json))
  .map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { properties: { a: value } },
  )
  .map((value) => value as JsonObject);

const args = fc.dictionary(
  name,
  fc.oneof(json, fc.constantFrom('5', '[1]', '{"a":1}', 'null'), fc.dictionary(name, json)),
) as fc.Arbitrary<JsonObject>;

/** Without a full check, parameters are at most read from text, and `null` may count as left out. */
function expectOnlyTextsRead(args: JsonObject, value: JsonObject): void {
  for (const [key, given] of Object.entries(args)) {
    if (!Object.hasOwn(value, key)) expect([null, 'null']).toContain(given);
    else if (typeof given === 'string' && typeof value[key] !== 'string') expect(value[key]).toEqual(JSON.parse(given));
    else expect(value[key]).toEqual(given);
  }
  for (const key of Object.keys(value)) expect(Object.hasOwn(args, key)).toBe(true);
}

describe('validate', () => {
  it('never throws, and never hands back a promise or changed arguments', async () => {
    const validator = createArgumentValidator();
    let tools = 0;
    let checked = 0;
    fc.assert(
      fc.property(inputSchema, args, (inputSchema, args) => {
        tools += 1;
        const before = structuredClone(args);
        const schemaBefore = structuredClone(inputSchema);
        const outcome = validator.validate({ hash: `${tools}`, inputSchema }, args);
        expect(args).toEqual(before);
        expect(inputSchema).toEqual(schemaBefore);
        if (outcome.ok && outcome.skipped !== undefined) expectOnlyTextsRead(args, outcome.value);
        else checked += 1;
        if (outcome.ok) return;
        expect(outcome.issues.length).toBeGreaterThan(0);
        for (const text of outcome.issues.flatMap((issue) => Object.values(issue))) {
          expect(text).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u);
        }
      }),
      { numRuns: 400 },
    );
    // Else the property says nothing.
    expect(checked).toBeGreaterThan(tools / 2);
    await new Promise((resolve) => setImmediate(resolve));
  }, 60_000);

  it('changes nothing where nothing is to be read', () => {
    const validator = createArgumentValidator();
    const anything = { type: 'object', additionalProperties: true };
    fc.assert(
      fc.property(args, (args) => {
        const outcome = validator.validate({ hash: 'anything', inputSchema: anything }, args);
        expect(outcome).toEqual({ ok: true, value: args });
      }),
    );
  });

  it('reads every number, list and object back that was sent as text', () => {
    const validator = createArgumentValidator();
    const inputSchema = { properties: { x: { type: ['number', 'array', 'object', 'boolean'] } } };
    const value = json.filter((value) => value !== null && typeof value !== 'string' && !hasUnsafeInteger(value));
    fc.assert(
      fc.property(value, (x) => {
        const outcome = validator.validate({ hash: 'text', inputSchema }, { x: JSON.stringify(x) });
        expect(outcome).toEqual({ ok: true, value: { x: JSON.parse(JSON.stringify(x)) } });
      }),
    );
  });
});

function hasUnsafeInteger(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger);
}
