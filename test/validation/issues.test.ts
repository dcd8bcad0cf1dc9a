import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { type ArgumentIssue, createArgumentValidator } from '../../src/validation/index.ts';

let tools = 0;

function outcomeOf(inputSchema: JsonObject, args: JsonObject) {
  tools += 1;
  const outcome = createArgumentValidator().validate({ hash: String(tools), inputSchema }, args);
  if (outcome.ok) throw new Error(`fits: ${outcome.skipped}`);
  return outcome;
}

/** `path: expected, got (rule) suggestion` of each issue. */
function issuesOf(inputSchema: JsonObject, args: JsonObject): string[] {
  return outcomeOf(inputSchema, args).issues.map(
    ({ path, rule, expected, got, suggestion }) =>
      `${path}: ${expected}, got ${got} (${rule})${suggestion === undefined ? '' : ` ${suggestion}`}`,
  );
}

describe('one thing that is wrong', () => {
  it.each<[string, JsonValue, JsonValue, string]>([
    ['type', { type: 'integer' }, 'five', 'x: integer, got "five" (type)'],
    ['types', { type: ['integer', 'null'] }, 'a', 'x: integer or null, got "a" (type)'],
    [
      'enum',
      { enum: ['open', 'closed'] },
      'opened',
      'x: one of "open", "closed", got "opened" (enum) Did you mean "open"?',
    ],
    ['enum far off', { enum: ['open', 'closed'] }, 'zzzzzzz', 'x: one of "open", "closed", got "zzzzzzz" (enum)'],
    ['const', { const: 'page' }, 'pages', 'x: "page", got "pages" (const) Did you mean "page"?'],
    ['minimum', { minimum: 1 }, 0, 'x: >= 1, got 0 (minimum)'],
    ['minItems', { minItems: 2 }, [1], 'x: not fewer than 2 items, got [1] (minItems)'],
    ['pattern', { pattern: '^a$' }, 'b', 'x: text that fits the pattern "^a$", got "b" (pattern)'],
    ['format', { format: 'email' }, 'b', 'x: text in the format email, got "b" (format)'],
    ['uniqueItems', { uniqueItems: true }, [1, 1], 'x: no two equal items, got [1,1] (uniqueItems)'],
    ['nested', { items: { properties: { a: { type: 'null' } } } }, [{ a: 1 }], 'x[0].a: null, got 1 (type)'],
    ['long text', { type: 'null' }, 'a'.repeat(100), `x: null, got "${'a'.repeat(80)}…" (100 characters) (type)`],
    ['long list', { type: 'null' }, [1, 2, 3, 4], 'x: null, got an array of 4 items (type)'],
    [
      'a name',
      { propertyNames: { pattern: '^a' } },
      { b: 1 },
      'x.b: a name that is text that fits the pattern "^a", got "b" (pattern)',
    ],
  ])('%s', (_what, schema, value, issue) => {
    expect(issuesOf({ properties: { x: schema } }, { x: value })).toEqual([issue]);
  });

  it('a missing parameter, by what it asks for, and a near name that was given', () => {
    const schema = { properties: { issue_number: { type: 'integer' } }, required: ['issue_number'] };
    expect(issuesOf(schema, {})).toEqual(['issue_number: integer, got nothing (required)']);
    expect(issuesOf(schema, { issueNumber: 1 })).toEqual([
      'issue_number: integer, got nothing (required) Did you mean it by "issueNumber"?',
    ]);
  });

  it('a parameter demanded by another', () => {
    const schema = { properties: { b: { type: 'integer' } }, dependentRequired: { a: ['b'] } };
    expect(issuesOf(schema, { a: 1 })).toEqual(['b: integer, as a is given, got nothing (dependentRequired)']);
  });

  it('an unknown parameter, with the near one that is not given yet', () => {
    const schema = { properties: { title: {}, body: {} }, additionalProperties: false };
    expect(issuesOf(schema, { titles: 1 })).toEqual([
      'titles: one of the parameters title, body, got an unknown parameter "titles" (additionalProperties) Did you mean "title"?',
    ]);
    expect(issuesOf({ additionalProperties: false }, { a: 1 })).toEqual([
      'a: no parameters, got an unknown parameter "a" (additionalProperties)',
    ]);
  });

  it('counts every one of very many', () => {
    const required = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
    const properties = { odd: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } };
    expect(outcomeOf({ required, properties }, { odd: 'x' }).more).toBe(1_993);
    expect(outcomeOf({ required }, {}).more).toBe(1_992);
  });

  it('counts what two parts of the schema ask for once', () => {
    const required = Array.from({ length: 11 }, (_, index) => `p${index}`);
    expect(outcomeOf({ required, allOf: [{ required }] }, {}).more).toBe(3);
  });

  it('tells the first eight and how many more', () => {
    const required = Array.from({ length: 11 }, (_, index) => `p${index}`);
    const { issues, more } = outcomeOf({ required }, {});
    expect(issues.map(({ path }) => path)).toEqual(required.slice(0, 8));
    expect(more).toBe(3);
  });
});

const $defs: JsonObject = {
  page: {
    type: 'object',
    properties: { type: { const: 'page' }, title: { type: 'string' }, pages: { type: 'integer' } },
    required: ['type', 'title', 'pages'],
  },
  file: {
    type: 'object',
    properties: { type: { enum: ['file'] }, path: { type: 'string' } },
    required: ['type', 'path'],
  },
  dot: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false },
  circle: { type: 'object', properties: { r: { type: 'number' } }, required: ['r'], additionalProperties: false },
  again: { $ref: '#/$defs/dot' },
  tree: {
    anyOf: [
      { type: 'integer' },
      { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    ],
  },
};
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

describe('a union is told in one', () => {
  it.each<[string, JsonValue, JsonValue, string[]]>([
    [
      'types',
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      'a',
      ['x: one of: integer, boolean, got "a" (anyOf)'],
    ],
    [
      'values',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      'zzzz',
      ['x: one of: "a", one of "b", "c", got "zzzz" (anyOf)'],
    ],
    [
      'references, none meant',
      { oneOf: [ref('dot'), ref('circle')] },
      { z: 1 },
      ['x: one of: object with x, object with r, got {"z":1} (oneOf)'],
    ],
    [
      'references to references',
      { anyOf: [ref('again'), ref('circle')] },
      {},
      ['x: one of: object with x, object with r, got {} (anyOf)'],
    ],
    ['a reference or null', { anyOf: [ref('dot'), { type: 'null' }] }, {}, ['x.x: number, got nothing (required)']],
    [
      'a reference or null, for another type',
      { anyOf: [ref('dot'), { type: 'null' }] },
      1,
      ['x: one of: object with x, null, got 1 (anyOf)'],
    ],
    [
      'the branch with the right constant',
      { oneOf: [ref('page'), ref('file')] },
      { type: 'page', title: 1, pages: 1 },
      ['x.title: string, got 1 (type)'],
    ],
    [
      'the branch with the right single value',
      { oneOf: [ref('page'), ref('file')] },
      { type: 'file' },
      ['x.path: string, got nothing (required)'],
    ],
    [
      'no branch with this constant',
      { oneOf: [ref('page'), ref('file')] },
      { type: 'pages' },
      ['x: one of: object with type "page", title, pages, object with type "file", path, got {"type":"pages"} (oneOf)'],
    ],
    [
      'unions within a union',
      { anyOf: [{ anyOf: [ref('dot'), ref('circle')] }, { type: 'array' }] },
      { z: 1 },
      ['x: one of: object with x, object with r, got {"z":1} (anyOf)'],
    ],
    [
      'more than one alternative that fits',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      ['x: to fit exactly one of the alternatives, not several, got 1 (oneOf)'],
    ],
    [
      'recursion',
      ref('tree'),
      { kids: [{ kids: ['a'] }] },
      ['x.kids[0].kids[0]: one of: integer, object, got "a" (anyOf)'],
    ],
  ])('%s', (_what, schema, value, issues) => {
    expect(issuesOf({ properties: { x: schema }, $defs }, { x: value })).toEqual(issues);
  });

  it('as the arguments as a whole', () => {
    expect(issuesOf({ type: 'object', oneOf: [ref('dot'), ref('circle')], $defs }, { a: 1 })).toEqual([
      ': one of: object with x, object with r, got {"a":1} (oneOf)',
    ]);
  });

  it('and what is wrong beside it stays', () => {
    const properties = { x: { anyOf: [ref('dot'), ref('circle')] }, y: ref('dot') };
    expect(issuesOf({ properties, $defs }, { x: {}, y: {} })).toEqual([
      'x: one of: object with x, object with r, got {} (anyOf)',
      'y.x: number, got nothing (required)',
    ]);
  });
});

describe('thousands of errors', () => {
  const thousands = (item: JsonValue) => Array.from({ length: 5_000 }, () => item);

  it.each<[string, JsonObject, JsonObject, string, string]>([
    ['lists', { properties: { x: { items: { type: 'null' } } } }, { x: thousands(1) }, 'x[0]', 'x[7]'],
    [
      'unions',
      { properties: { x: { items: { anyOf: [ref('dot'), ref('circle')] } } }, $defs },
      { x: thousands({}) },
      'x[0]',
      'x[7]',
    ],
    [
      'names',
      { additionalProperties: false },
      Object.fromEntries(thousands(1).map((one, index) => [`k${index}`, one])),
      'k0',
      'k7',
    ],
  ])('are told from the first: %s', (_what, schema, args, first, last) => {
    const { issues, more } = outcomeOf(schema, args);
    expect([issues[0]?.path, issues.at(-1)?.path]).toEqual([first, last]);
    expect(more).toBeGreaterThan(100);
  });

  it('in the branches of a union are told in one', () => {
    const branch = (type: string): JsonObject => ({ type: 'array', items: { type } });
    const schema = { properties: { x: { anyOf: [branch('null'), branch('integer')] } } };
    expect(issuesOf(schema, { x: thousands('a') })).toEqual(['x: one of: array, got an array of 5000 items (anyOf)']);
  });
});

describe('texts of an issue', () => {
  const nasty = 'a\n\u001b[31mb\u202Ec\u200Bd\u2028e\u{E0041}\uFE0Ff\uD800';

  it.each<[string, JsonObject, JsonObject]>([
    ['an enum', { properties: { x: { enum: [nasty, 'b'] } } }, { x: nasty.slice(1) }],
    ['a value', { properties: { x: { type: 'integer' } } }, { x: nasty }],
    ['a constant', { properties: { x: { const: nasty } } }, { x: 1 }],
    ['a pattern', { properties: { x: { pattern: `${nasty.replace('[', '')}$` } } }, { x: 'b' }],
    ['a name', { additionalProperties: false, properties: { [nasty]: {} } }, { [nasty.slice(1)]: 1 }],
    ['a missing name', { required: [nasty] }, { [nasty.slice(1)]: nasty }],
    ['a branch', { anyOf: [{ required: [nasty] }, { const: { [nasty]: nasty } }] }, {}],
    ['a path', { patternProperties: { '': { type: 'null' } } }, { [nasty]: 1 }],
    ['a dependency', { dependentRequired: { [nasty]: ['b'] } }, { [nasty]: 1 }],
  ])('are one line without control, bidirectional or invisible characters: %s', (_what, schema, args) => {
    const texts = outcomeOf(schema, args).issues.flatMap((issue) => Object.values(issue));
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\uFE0F/u);
    expect(texts.join(' ')).toContain('\\u{202e}');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['values', { properties: { x: { enum: list((n) => `${n}`.repeat(500)) } } }, { x: '' }],
    ['names', { additionalProperties: false, properties: object(list((n) => `${n}`.repeat(500))) }, { x: 1 }],
    ['branches', { anyOf: list((n) => ({ required: list((m) => `${n} ${m}`.repeat(100)).slice(0, 20) })) }, {}],
    [
      'an object that came',
      { type: 'object', required: ['x'], minProperties: 1e6 },
      object(list((n) => `${n}`.repeat(500))),
    ],
    ['a path', nestedProperties(50), nestedValue(50)],
    [
      'emoji',
      { additionalProperties: false, properties: object(list((n) => `${n}${'😀'.repeat(500)}`)) },
      { [`a${'😀'.repeat(500)}`]: 1 },
    ],
  ])('are capped: %s', (_what, schema, args) => {
    const { issues } = outcomeOf(schema, args);
    const longest = Math.max(
      ...issues.flatMap((issue: ArgumentIssue) => Object.values(issue)).map((text) => text.length),
    );
    expect(longest).toBeLessThan(1_000);
    for (const text of issues.flatMap((issue) => Object.values(issue))) expect(text).not.toMatch(/\p{Cs}/u);
  });
});

function list<Item>(make: (n: number) => Item): Item[] {
  return Array.from({ length: 100 }, (_, index) => make(index));
}

function object(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

function nestedProperties(levels: number): JsonObject {
  let schema: JsonObject = { type: 'null' };
  for (let level = 0; level < levels; level += 1) schema = { properties: { ['name'.repeat(100)]: schema } };
  return schema;
}

function nestedValue(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level += 1) value = { ['name'.repeat(100)]: value };
  return value;
}
