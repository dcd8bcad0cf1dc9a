import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';
import { createToolAnalyzer } from '../../src/search/text/analyzer.ts';
import { found, meta, open, rawTool, rawTools, toolNames, wanted, wordAnalyzer } from './harness.ts';

function nested(depth: number): JsonObject {
  let schema: JsonObject = { type: 'object' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { p: schema } };
  return schema;
}

function cyclic(): unknown {
  const tool: Record<string, unknown> = rawTool('cyclic');
  tool.self = tool;
  return tool;
}

/** Takes a list between two good tools; says what became of its entries. */
function ingested(entries: readonly unknown[], analyzer = createToolAnalyzer()) {
  const catalog = open({ analyzer });
  catalog.configure([wanted('s')]);
  const list = [rawTool('first'), ...entries, rawTool('last')];
  const report = catalog.ingest('s', list, meta());
  expect(report.accepted).toBe(true);
  expect(report.added).toHaveLength(list.length);
  const again = catalog.ingest('s', list, meta());
  expect(again).toMatchObject({ added: [], changed: [], removed: [], unchanged: list.length });
  expect(toolNames(catalog)).toEqual(expect.arrayContaining(['first', 'last']));
  expect(found(catalog, ['last'])).toContain('last');
  return {
    catalog,
    tools: catalog
      .tools({ includeSetAside: true })
      .filter(({ toolName }) => toolName !== 'first' && toolName !== 'last')
      .map(({ toolName, status, problem }) => ({ toolName, status, problem: problem ?? '' })),
  };
}

const setAside: [string, () => unknown, string, RegExp][] = [
  ['null', () => null, '#1', /entry is null/],
  ['undefined', () => undefined, '#1', /entry is null/],
  ['a number', () => 7, '#1', /entry is a number/],
  ['a text', () => 'tool', '#1', /entry is a string/],
  ['a list', () => [rawTool('x')], '#1', /entry is a list/],
  ['a function', () => () => 1, '#1', /entry is null/],
  ['no name', () => ({ inputSchema: { type: 'object' } }), '#1', /no name/],
  ['an empty name', () => rawTool(''), '#1', /name is not a usable text/],
  ['a name of spaces', () => rawTool(' \t'), '#1', /name is not a usable text/],
  ['a name that is a number', () => ({ ...rawTool('x'), name: 5 }), '#1', /name is not a usable text/],
  ['a cycle', cyclic, '#1', /cannot be written as JSON: Converting circular/],
  ['a BigInt', () => ({ ...rawTool('x'), limit: 10n }), '#1', /cannot be written as JSON: .*BigInt/],
  [
    'a throwing getter',
    () => ({
      get name(): string {
        throw new Error('no');
      },
    }),
    '#1',
    /cannot be written as JSON: no/,
  ],
  ['half a character in its name', () => rawTool('x\ud800'), 'x\ufffd', /lone surrogate/],
  ['a schema for a text', () => rawTool('x', { inputSchema: { type: 'string' } }), 'x', /has type "string"/],
  [
    'a schema for anything but objects',
    () => rawTool('x', { inputSchema: { type: ['null'] } }),
    'x',
    /types \["null"\]/,
  ],
  ['a list for a schema', () => rawTool('x', { inputSchema: [] }), 'x', /schema is a list/],
  ['a schema that allows nothing', () => rawTool('x', { inputSchema: false }), 'x', /schema is a boolean/],
  ['a demand for tasks', () => rawTool('x', { execution: { taskSupport: 'required' } }), 'x', /run as a task/],
  ['a schema 2,000 deep', () => rawTool('x', { inputSchema: nested(2_000) }), 'x', /nested more than/],
  ['a schema 100,000 deep', () => rawTool('x', { inputSchema: nested(100_000) }), '#1', /cannot be written as JSON/],
];

describe('a tool with', () => {
  it.each(setAside)('%s is set aside, and no other', (_case, make, toolName, problem) => {
    const { tools } = ingested([make()]);
    expect(tools).toEqual([{ toolName, status: 'set_aside', problem: expect.stringMatching(problem) }]);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['no schema', { inputSchema: null }, /input schema was missing/],
    ['a schema without a type', { inputSchema: { properties: {} } }, /had no type/],
    ['a schema of several types', { inputSchema: { type: ['object', 'null'] } }, /had type \["object","null"\]/],
    ['`true` for a schema', { inputSchema: true }, /was `true`/],
    ['a list of properties', { inputSchema: { type: 'object', properties: [] } }, /"properties" was not an object/],
    ['a broken property', { inputSchema: { type: 'object', properties: { a: 1, '\ud800': 2 } } }, /schemas of "a"/],
    ['a truth for required', { inputSchema: { type: 'object', required: true } }, /"required" was not a list/],
    ['a number for a description', { description: 5 }, /"description" was a number/],
    ['a list of annotations', { annotations: [] }, /"annotations" was a list/],
    ['a text for an output schema', { outputSchema: 'x' }, /"outputSchema" was a string/],
  ])('%s is repaired', (_case, change, problem) => {
    const { catalog, tools } = ingested([rawTool('x', change)]);
    expect(tools).toEqual([{ toolName: 'x', status: 'repaired', problem: expect.stringMatching(problem) }]);
    const tool = catalog.tool({ serverId: 's', toolName: 'x' });
    expect(tool?.inputSchema.type).toBe('object');
    expect(tool?.definition).toEqual(rawTool('x', change));
  });

  it.each<[string, unknown]>([
    ['unknown keys', rawTool('x', { future: { a: [1] }, execution: { taskSupport: 'optional' } })],
    ['not a number among its numbers', { ...rawTool('x'), weight: Number.NaN }],
    ['half a character in its description', rawTool('x', { description: 'a\ud800b' })],
    ['a NUL in its description', rawTool('x', { description: 'a\0b' })],
    ['a schema 200 deep', rawTool('x', { inputSchema: nested(200) })],
    ['a megabyte of description', rawTool('x', { description: 'word '.repeat(200_000) })],
    [
      'a property called __proto__',
      rawTool('x', {
        inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}'),
      }),
    ],
  ])('%s is kept as it is', (_case, entry) => {
    const { catalog, tools } = ingested([entry]);
    expect(tools).toEqual([{ toolName: 'x', status: 'ok', problem: '' }]);
    expect(catalog.tool({ serverId: 's', toolName: 'x' })?.definition).toEqual(JSON.parse(JSON.stringify(entry)));
  });

  it.each([
    ['__proto__'],
    ['constructor'],
    ['toString'],
    ['hasOwnProperty'],
    ['a\0b'],
    ['a\nb'],
    ["'; DROP TABLE tool; --"],
    ['"'],
    ['名前'],
    ['n'.repeat(100_000)],
  ])('the name %j is kept', (name) => {
    const { catalog, tools } = ingested([rawTool(name)]);
    expect(tools).toEqual([{ toolName: name, status: 'ok', problem: '' }]);
    expect(catalog.tool({ serverId: 's', toolName: name })?.exposedName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});

describe('names that clash', () => {
  const statuses = (entries: readonly unknown[]) =>
    Object.fromEntries(ingested(entries, wordAnalyzer).tools.map(({ toolName, status }) => [toolName, status]));

  it('leave the first and set the others aside', () => {
    const { catalog, tools } = ingested([rawTool('x', { description: 'One.' }), rawTool('x'), rawTool('x')]);
    expect(tools).toMatchObject([
      { toolName: 'x', status: 'ok' },
      { toolName: 'x#2', status: 'set_aside', problem: expect.stringContaining('"x" twice') },
      { toolName: 'x#3', status: 'set_aside' },
    ]);
    expect(catalog.tool({ serverId: 's', toolName: 'x' })?.description).toBe('One.');
  });

  it('never push aside a tool that really has a made-up name', () => {
    expect(statuses([{}, rawTool('#1'), rawTool('x'), rawTool('x'), rawTool('x#2')])).toEqual({
      '#1': 'ok',
      '#1#2': 'set_aside',
      x: 'ok',
      'x#2': 'ok',
      'x#3': 'set_aside',
    });
    expect(statuses([rawTool('x\ud800'), rawTool('x\udc00'), rawTool('x\ufffd')])).toEqual({
      'x\ufffd': 'ok',
      'x\ufffd#2': 'set_aside',
      'x\ufffd#3': 'set_aside',
    });
  });
});

describe('a list', () => {
  it('with holes is taken', () => {
    // biome-ignore lint/suspicious/noSparseArray: what a program may pass
    expect(ingested([, rawTool('x')], wordAnalyzer).tools).toMatchObject([{ toolName: '#1' }, { toolName: 'x' }]);
  });

  it('survives an analyser that stumbles over one of its tools', () => {
    const catalog = open({
      analyzer: {
        id: 'fragile',
        analyze: (tool) => {
          if (tool.toolName === 'hopeless' || 'bad' in tool.inputSchema) throw new Error('stumbled');
          return wordAnalyzer.analyze(tool);
        },
      },
    });
    catalog.configure([wanted('s')]);
    const list = [rawTool('half', { inputSchema: { type: 'object', bad: 1 } }), ...rawTools('hopeless', 'good')];
    expect(catalog.ingest('s', list, meta()).added).toEqual(['half', 'hopeless', 'good']);
    expect(found(catalog, ['does']).sort()).toEqual(['good', 'half']);
    expect(toolNames(catalog)).toEqual(['good', 'half', 'hopeless']);
  });

  it('of any JSON values is taken, one row an entry', () => {
    const entry = fc.oneof(
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
      fc.record(
        {
          name: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', '__proto__', '#0', 'a#2')),
          description: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          inputSchema: fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('object', 'string') })),
          title: fc.jsonValue(),
          execution: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    const analyzer = createToolAnalyzer();
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const catalog = open({ analyzer });
        catalog.configure([wanted('s')]);
        expect(catalog.ingest('s', entries, meta()).added).toHaveLength(entries.length);
        expect(catalog.tools({ includeSetAside: true })).toHaveLength(entries.length);
        expect(catalog.ingest('s', entries, meta())).toMatchObject({ changed: [], unchanged: entries.length });
        catalog.close();
      }),
      { numRuns: 150 },
    );
  });
});
