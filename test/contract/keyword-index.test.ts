import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, KeywordColumn, KeywordIndex } from '../../src/model/index.ts';
import { evenWeights, meta, open, rawTool, wanted } from '../catalog/harness.ts';

/** An index over the given tools, a list for each server, and the raw name behind each key. */
type MakeIndex = (servers: Record<string, JsonObject[]>) => { index: KeywordIndex; nameOf: (key: number) => string };

const implementations: [string, MakeIndex][] = [
  [
    'SQLite FTS5',
    (servers) => {
      const catalog = open();
      catalog.configure(Object.keys(servers).map((id, position) => wanted(id, position)));
      for (const [id, tools] of Object.entries(servers)) catalog.ingest(id, tools, meta());
      return { index: catalog, nameOf: (key) => catalog.toolsByKeys([key])[0]?.toolName ?? `no tool ${key}` };
    },
  ],
];

const bare = (name: string, change: JsonObject = {}) =>
  rawTool(name, { description: '', inputSchema: { type: 'object' }, ...change });

/** The word `target` in another column of each tool, and tools without it, so that it is rare. */
const columns = {
  s: [
    bare('target'),
    bare('in_title', { title: 'target' }),
    bare('in_description', { description: 'target' }),
    bare('in_parameters', { inputSchema: { type: 'object', properties: { target: {} } } }),
    ...Array.from({ length: 20 }, (_, index) => bare(`other${index}`)),
  ],
  target: [bare('by_server')],
};

describe.each(implementations)('KeywordIndex: %s', (_implementation, make) => {
  const search = (
    { index, nameOf }: ReturnType<MakeIndex>,
    terms: readonly string[],
    change: Partial<Parameters<KeywordIndex['search']>[0]> = {},
  ) =>
    index
      .search({ terms, weights: evenWeights, limit: 50, ...change })
      .map(({ toolKey, score }) => ({ name: nameOf(toolKey), score }));
  const names = (...request: Parameters<typeof search>) => search(...request).map(({ name }) => name);

  it.each<[KeywordColumn, string]>([
    ['name', 'target'],
    ['title', 'in_title'],
    ['description', 'in_description'],
    ['parameters', 'in_parameters'],
    ['server', 'by_server'],
  ])('puts a match in %s first when that weighs most', (column, expected) => {
    const made = make(columns);
    const matches = search(made, ['target'], { weights: { ...evenWeights, [column]: 50 } });
    expect(matches[0]?.name).toBe(expected);
    expect(matches).toHaveLength(5);
    expect(matches.every(({ score }) => score > 0)).toBe(true);
    expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('finds any tool with any term, the rarer term counting more', () => {
    const made = make({
      s: [bare('read', { description: 'file' }), bare('write', { description: 'file' }), bare('x')],
    });
    expect(names(made, ['write', 'file'])).toEqual(['write', 'read']);
    expect(names(made, ['absent', 'x'])).toEqual(['x']);
    expect(names(made, ['absent'])).toEqual([]);
    expect(names(made, [])).toEqual([]);
  });

  it('orders ties by exposed name and keeps the limit', () => {
    const made = make({
      b: [bare('do', { description: 'same' })],
      a: [bare('go', { description: 'same' }), bare('do', { description: 'same' })],
    });
    const keys = made.index.search({ terms: ['same'], weights: evenWeights, limit: 2 });
    expect(keys.map(({ toolKey }) => made.nameOf(toolKey))).toEqual(['do', 'go']);
    expect(names(made, ['same'])).toEqual(['do', 'go', 'do']);
  });

  it('keeps to one server when told so', () => {
    const made = make({ a: [bare('x', { description: 'word' })], b: [bare('y', { description: 'word' })] });
    expect(names(made, ['word'], { serverId: 'b' })).toEqual(['y']);
    expect(names(made, ['word'], { serverId: 'none' })).toEqual([]);
  });

  it.each([
    ['"a" OR b*'],
    ['NEAR(a b)'],
    ['NEAR'],
    ['AND'],
    ['NOT a'],
    ['a"'],
    ['"'],
    ['name:a'],
    ['{name title}:a'],
    ['^a'],
    ['-a'],
    ['a\0b'],
    ['\0'],
    ["'; DROP TABLE tool;"],
    ['\ud800'],
    ['(((('],
    ['*'],
    [''],
  ])('reads no operator in the term %j', (term) => {
    const made = make({ s: [bare('a', { description: 'b near or not and' }), bare('unrelated')] });
    const found = names(made, [term]);
    expect(found).not.toContain('unrelated');
    expect(() => made.index.documentFrequencies([term])).not.toThrow();
    expect(names(made, [term, 'a'])).toContain('a');
  });

  it('takes any terms at all', () => {
    const made = make(columns);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 10 }), (terms) => {
        expect(search(made, terms).length).toBeLessThanOrEqual(50);
        expect(made.index.documentFrequencies(terms).documents).toBe(25);
      }),
      { numRuns: 300 },
    );
  });

  it('takes a thousand terms', () => {
    const made = make(columns);
    expect(names(made, ['target', ...Array.from({ length: 1_000 }, (_, index) => `w${index}`)])).toContain('target');
  });

  it.each([
    ['検索', 'ファイル 検索'],
    ['가져오기', '이슈 가져오기'],
    ['поиск', 'поиск файлов'],
    ['बनाएँ', 'फ़ाइल बनाएँ'],
    ['42', 'port 42'],
  ])('finds the token %s', (term, description) => {
    const made = make({ s: [bare('x', { description }), bare('y')] });
    expect(names(made, [term])).toEqual(['x']);
    expect(made.index.documentFrequencies([term]).frequencies.get(term)).toBe(1);
  });

  it('counts the tools that hold a term', () => {
    const { index } = make(columns);
    expect(index.documentFrequencies(['target', 'other1', 'absent'])).toEqual({
      frequencies: new Map([
        ['target', 5],
        ['other1', 1],
        ['absent', 0],
      ]),
      documents: 25,
    });
  });

  it('leaves out the most frequent terms to stay within the postings allowed, but never all', () => {
    const made = make({
      s: [
        bare('rare', { description: 'often' }),
        ...Array.from({ length: 10 }, (_, index) => bare(`other${index}`, { description: 'often' })),
      ],
    });
    const found = (terms: string[], maxPostings: number) => names(made, terms, { maxPostings }).length;
    expect(found(['often', 'rare'], 12)).toBe(11);
    expect(found(['often', 'rare'], 11)).toBe(1);
    expect(found(['often', 'rare', 'absent'], 0)).toBe(1);
    expect(found(['often'], 1)).toBe(11);
    expect(found(['absent'], 1)).toBe(0);
  });

  it('orders by score first and by name within a score, whatever the limit', () => {
    const words = fc.array(fc.constantFrom('red', 'green', 'blue'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 12 }), (texts, limit) => {
        const tools = texts.map((text, index) => bare(`t${(index * 7) % 13}`, { description: text.join(' ') }));
        const made = make({ s: tools });
        const all = search(made, ['red', 'blue']);
        const sorted = [...all].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
        expect(all).toEqual(sorted);
        expect(search(made, ['red', 'blue'], { limit })).toEqual(all.slice(0, limit));
        expect(search(made, ['red', 'blue'], { serverId: 's' })).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });

  it('gives back the profiles that the analyser made', () => {
    const made = make({ s: [bare('find'), bare('plain')] });
    const key = (name: string) =>
      made.index.search({ terms: [name], weights: evenWeights, limit: 1 })[0]?.toolKey ?? -1;
    const [found, plain] = [key('find'), key('plain')];
    const profiles = made.index.profiles([plain, -5, found, 1e9]);
    // The analyser of these tests takes the name for it.
    expect(new Map([...profiles].map(([toolKey, bytes]) => [toolKey, new TextDecoder().decode(bytes)]))).toEqual(
      new Map([
        [found, 'find'],
        [plain, 'plain'],
      ]),
    );
    expect(made.index.profiles([])).toEqual(new Map());
  });

  it('knows of no other tools than those of a set', () => {
    const made = make(columns);
    const matches = made.index.search({ terms: ['target'], weights: evenWeights, limit: 50 });
    const keyOf = (name: string) => matches.find(({ toolKey }) => made.nameOf(toolKey) === name)?.toolKey as number;
    const within = new Set([keyOf('in_title'), keyOf('by_server')]);
    expect(names(made, ['target'], { within }).sort()).toEqual(['by_server', 'in_title']);
    expect(names(made, ['target'], { within, serverId: 's' })).toEqual(['in_title']);
    expect(names(made, ['target'], { within: new Set() })).toEqual([]);
    const counted = made.index.documentFrequencies(['target', 'title', 'other3'], within);
    expect(counted.documents).toBe(2);
    expect([...counted.frequencies]).toEqual([
      ['target', 2],
      ['title', 1],
      ['other3', 0],
    ]);
  });
});
