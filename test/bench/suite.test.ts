import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { repositoryFolder } from '../../bench/data/bench-data.ts';
import { accuracyReport } from '../../bench/metrics/accuracy-report.ts';
import { scoreQuery } from '../../bench/metrics/score.ts';
import { checkExpected, withExpected } from '../../bench/suites/check-expected.ts';
import { runSuite } from '../../bench/suites/run-suite.ts';
import { formatSuite, loadSuite, type Suite, suiteFiles } from '../../bench/suites/suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-suite-'));
afterAll(() => rmSync(folder, { recursive: true }));

const suiteFolder = join(repositoryFolder, 'bench/suites');
const suiteNames = readdirSync(suiteFolder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'));

function suiteOf(changes: Partial<Suite>): Suite {
  return {
    name: 'tiny',
    about: '',
    base: 'repository',
    sets: [{ set: 's', tools: join(folder, 'tools.jsonl'), queries: join(folder, 'queries.jsonl') }],
    arms: ['lexical', 'fts5'],
    tolerance: 0.01,
    expected: {},
    ...changes,
  };
}

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('suite files', () => {
  it.each(suiteNames)('%s is valid, called like its file and written as the formatter has it', (name) => {
    const suite = loadSuite(name);
    expect(suite.name).toBe(name);
    // Not the file itself: the formatter also breaks and joins short objects.
    expect(JSON.parse(formatSuite(suite))).toEqual(JSON.parse(readFileSync(join(suiteFolder, `${name}.json`), 'utf8')));
  });

  it.each([
    ['an unknown arm', { arms: ['bm42'] }, /arms/],
    ['an expectation for a set that it lacks', { expected: { other: {} } }, /no such set/],
    ['an expectation for an arm that it lacks', { expected: { s: { hybrid: {} } } }, /no such arm/],
    ['an unknown measure', { expected: { s: { lexical: { 'recall@7': 1 } } } }, /recall@7/],
    ['a field that nobody reads', { tolerence: 0.5 }, /tolerence/],
  ])('%s is refused', (_, changes, message) => {
    const file = write('bad.json', { ...suiteOf({}), ...changes });
    expect(() => loadSuite(file)).toThrow(message);
  });

  it('an unknown name is answered with those that exist', () => {
    expect(() => loadSuite('nothing')).toThrow(/No suite nothing.*all, own/);
  });

  it('missing data is named, with where it is looked for', () => {
    vi.stubEnv('TOOLCRIB_BENCH_DATA', join(folder, 'nowhere'));
    expect(() => suiteFiles(loadSuite('all'))).toThrow(/nowhere.*real66[\s\S]*TOOLCRIB_BENCH_DATA/);
    vi.unstubAllEnvs();
  });
});

/** 200 queries, of which this share is answered first, and one that no tool fits. */
function reportWith(share: number) {
  const answers = Array.from({ length: 200 }, (_, index) => ({
    query: {
      id: String(index),
      query: 'q',
      lang: 'en',
      category: index < 190 ? 'easy' : 'hard',
      groups: [['a']],
      helpful: [],
    },
    latencyMs: 1,
    isWeak: index < 20,
    isEmpty: false,
    score: scoreQuery(index < share * 200 ? ['a'] : ['b'], [['a']]),
  }));
  const { score: _, ...none } = { ...(answers[0] as (typeof answers)[number]), isWeak: true };
  return accuracyReport({ arm: 'lexical', set: 's', tools: 1 }, [...answers, none]);
}

describe('expectations', () => {
  const expecting = (figures: Record<string, number>) =>
    checkExpected(suiteOf({ expected: { s: { lexical: figures } } }), [reportWith(0.98)]).map(({ measure, actual }) => [
      measure,
      actual,
    ]);

  it.each([
    ['met exactly', { 'recall@1': 0.98 }],
    ['exceeded', { 'recall@1': 0.5 }],
    ['missed by the tolerance', { 'recall@1': 0.99 }],
    ['of a category', { 'recall@5/easy': 1, 'recall@5/hard': 0.6 }],
    ['of a category of ten, missed by one query', { 'recall@5/hard': 0.7 }],
    ['where less is better', { weakAnswerable: 0.09 }],
    ['of queries that no tool fits', { 'none.weak': 1 }],
  ])('%s passes', (_, figures) => expect(expecting(figures)).toEqual([]));

  it.each([
    ['missed by more than the tolerance', { 'recall@1': 0.992 }, ['recall@1', 0.98]],
    ['of a category of ten, missed by two queries', { 'recall@5/hard': 0.8 }, ['recall@5/hard', 0.6]],
    ['of a category that is gone', { 'recall@5/gone': 0.1 }, ['recall@5/gone', Number.NaN]],
    ['exceeded where less is better', { weakAnswerable: 0.08 }, ['weakAnswerable', 0.1]],
  ])('%s fails', (_, figures, shortfall) => expect(expecting(figures)).toEqual([shortfall]));

  it('of an arm that did not run fails', () => {
    const suite = suiteOf({ expected: { s: { lexical: { 'recall@1': 0 } } } });
    expect(checkExpected(suite, []).map(({ actual }) => actual)).toEqual([Number.NaN]);
  });

  it('are renewed for the measures named already, else for the usual ones; comparison arms have none', () => {
    const report = reportWith(0.98);
    const kept = withExpected(suiteOf({ expected: { s: { lexical: { 'hit@1': 0.1 } } } }), [report]);
    expect(kept.expected).toEqual({ s: { lexical: { 'hit@1': 0.98 } } });
    const fresh = withExpected(suiteOf({}), [report, { ...report, arm: 'fts5' }]);
    expect(fresh.expected).toEqual({
      s: {
        lexical: {
          'recall@1': 0.98,
          'recall@5': 0.98,
          'mrr@10': 0.98,
          'none.weak': 1,
          weakAnswerable: 0.1,
          wronglyRefused: 0,
        },
      },
    });
    expect(checkExpected(fresh, [report])).toEqual([]);
  });
});

it('a suite runs each arm on each set and judges the result', async () => {
  writeFileSync(
    join(folder, 'tools.jsonl'),
    JSON.stringify({ id: 't', server: 's', name: 'read_file', inputSchema: {} }),
  );
  const queries = [
    { id: '1', query: 'read a file', relevant: ['t'] },
    { id: '2', query: 'bake a cake', relevant: [] },
  ];
  writeFileSync(join(folder, 'queries.jsonl'), queries.map((query) => JSON.stringify(query)).join('\n'));
  const suite = suiteOf({ expected: { s: { lexical: { 'recall@1': 1, 'recall@1/all': 1, 'none.abstained': 0.5 } } } });
  const { results, shortfalls } = await runSuite(suite, { useCache: false });
  expect(results.map(({ arm, recall }) => [arm, recall[1]])).toEqual([
    ['lexical', 1],
    ['fts5', 1],
  ]);
  expect(results[0]?.confidenceCurve?.auc).toBe(1);
  expect(shortfalls).toEqual([]);
});
