import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toModelTool } from '../../src/host/model-tool.ts';
import { renameParameters } from '../../src/host/parameter-names.ts';
import { providerName } from '../../src/host/provider-name.ts';
import { providerSchema } from '../../src/host/provider-schema.ts';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { readRecording, real66Recording, smallRecording } from '../fixtures/replay/index.ts';

const text = { type: 'string' };
const of = (schema: JsonObject) => providerSchema(schema).schema;

describe('a schema for providers', () => {
  it('stays as it is where providers take it', () => {
    const schema = {
      type: 'object',
      properties: { a: text, list: { type: 'array', items: text }, either: { anyOf: [text, { type: 'null' }] } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(of(schema)).toEqual(schema);
    expect(JSON.stringify(of(schema))).toBe(JSON.stringify(schema));
  });

  it('is an object at the top, whatever it was', () => {
    expect(of({})).toEqual({ type: 'object', properties: {} });
    expect(of({ type: ['object', 'null'] as JsonValue })).toEqual({ type: 'object', properties: {} });
    expect(of({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' })).not.toHaveProperty('$schema');
  });

  it('has the parameters of all branches, and says in words which go together', () => {
    const schema = {
      type: 'object',
      properties: { note: text },
      required: ['note'],
      oneOf: [
        { properties: { id: text, kind: { const: 'a' } }, required: ['id', 'kind'] },
        { properties: { url: text, kind: { const: 'b' } }, required: ['url', 'kind'] },
      ],
    };
    expect(providerSchema(schema)).toEqual({
      schema: {
        type: 'object',
        properties: { note: text, id: text, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, url: text },
        required: ['note', 'kind'],
      },
      note: 'Give one of these sets of parameters: id, kind | url, kind.',
    });
  });

  it('follows a reference at the top, and leaves out those into other documents', () => {
    const schema = {
      $ref: '#/$defs/in put',
      $defs: { 'in put': { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, required: ['a'] }, b: text },
    };
    expect(of(schema)).toMatchObject({ type: 'object', properties: { a: { $ref: '#/$defs/b' } }, required: ['a'] });
    expect(of({ type: 'object', properties: { a: { $ref: 'https://example.org/a.json' } } }).properties).toEqual({
      a: {},
    });
    expect(of({ $ref: '#' })).toMatchObject({ type: 'object' });
  });

  it('gives arrays their items, and bounds as numbers', () => {
    const properties = {
      any: { type: 'array' },
      pair: { type: 'array', items: [text, { type: 'number' }], additionalItems: false },
      least: { type: 'number', minimum: 0, exclusiveMinimum: true },
      most: { type: 'number', maximum: 5, exclusiveMaximum: false },
      named: { type: 'string', required: true },
    };
    expect(of({ type: 'object', properties }).properties).toEqual({
      any: { type: 'array', items: {} },
      pair: { type: 'array', items: { anyOf: [text, { type: 'number' }] } },
      least: { type: 'number', exclusiveMinimum: 0 },
      most: { type: 'number', maximum: 5 },
      named: text,
    });
  });

  it('leaves values alone that only look like schemas', () => {
    const value = { type: 'array', items: [1], exclusiveMinimum: true, $ref: 'x' };
    const schema = { type: 'object', properties: { a: { default: value, enum: [value], examples: [value] } } };
    expect(of(schema)).toEqual(schema);
  });

  it('ends where the nesting does not', () => {
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) deep = { type: 'object', properties: { a: deep } };
    expect(JSON.stringify(of(deep)).length).toBeLessThan(5_000);
  });
});

describe('what holds for any schema', () => {
  const leaf = fc.constantFrom<JsonObject>({}, text, { enum: ['a', 1] }, { type: 'array' });
  // Every branch names every parameter: one that a branch leaves open is for the others to say.
  const part = fc.record({
    properties: fc.record({ a: leaf, b: leaf, $c: leaf }),
    required: fc.subarray(['a']),
  });
  const branches = fc.array(part, { minLength: 1, maxLength: 2 });
  const schema = fc
    .record(
      {
        properties: part.map(({ properties }) => properties),
        anyOf: branches,
        oneOf: branches,
        allOf: branches,
      },
      { requiredKeys: [] },
    )
    .map((parts) => ({ type: 'object', ...parts }) as JsonObject);
  const value = fc.dictionary(fc.constantFrom('a', 'b', '$c'), fc.constantFrom<JsonValue>('a', 'a', 1, ['a']));

  it('what the original admits is admitted, and comes back as it was', () => {
    let admitted = 0;
    fc.assert(
      fc.property(schema, value, (original, args) => {
        const admits = (one: JsonObject, given: unknown) => new Ajv2020({ strict: false }).validate(one, given);
        const { schema: flat } = providerSchema(original);
        const { schema: renamed, restore } = renameParameters(flat);
        for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(renamed).not.toHaveProperty(keyword);
        if (admits(original, args) !== true) return;
        admitted += 1;
        expect(admits(flat, args)).toBe(true);
        const names = new Map(
          Object.keys(flat.properties as object).map((name, at) => [
            name,
            Object.keys(renamed.properties as object)[at],
          ]),
        );
        const given = Object.fromEntries(Object.entries(args).map(([key, one]) => [names.get(key) ?? key, one]));
        expect(restore(given as JsonObject)).toEqual(args);
      }),
    );
    expect(admitted).toBeGreaterThan(10);
  });

  it('names are of their own, within the limit, and always the same', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2 }), (names) => {
        const given = names.map(providerName);
        expect(new Set(given).size).toBe(names.length);
        expect(given).toEqual(names.map(providerName));
        for (const one of given) expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});

it('every recorded tool comes out as providers demand', () => {
  const tools = readRecording(real66Recording ?? smallRecording).flatMap((server) => server.tools) as JsonObject[];
  const check = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, description, inputSchema } of tools) {
    if (typeof inputSchema !== 'object' || inputSchema === null || Array.isArray(inputSchema)) continue;
    const tool = toModelTool({ name: `s__${String(name)}`, description: String(description), inputSchema });
    const { type, properties, ...others } = tool.inputSchema;
    expect(type).toBe('object');
    for (const key of Object.keys(properties as object)) expect(key, String(name)).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    expect(Object.keys(others)).not.toEqual(expect.arrayContaining(['anyOf']));
    expect(() => check.validateSchema(tool.inputSchema, true), String(name)).not.toThrow();
  }
});
