import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { measureAccuracy } from '../../bench/commands/accuracy.ts';
import { measureOverhead } from '../../bench/commands/overhead.ts';
import { measureSpeed } from '../../bench/commands/speed.ts';
import { measureTokens } from '../../bench/commands/tokens.ts';
import { repositoryFolder } from '../../bench/data/bench-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, rows: object[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

const tools = write('tools.jsonl', [
  { id: 'a', server: 's', name: 'read_file', description: 'Read a file.', inputSchema: { type: 'object' } },
  { id: 'b', server: 's', name: 'send_mail', description: 'Send a mail.', inputSchema: { type: 'object' } },
]);
const queries = write('queries.jsonl', [
  { id: '1', query: 'read a file', relevant: ['a'], category: 'task' },
  { id: '2', query: 'send a mail', relevant: ['a'], category: 'wrong on purpose' },
  { id: '3', query: 'zzz', relevant: [] },
]);

it('accuracy counts what is right, by category, and sets apart what no tool fits', async () => {
  expect(await measureAccuracy({ tools, queries, arm: 'fts5' })).toMatchObject({
    arm: 'fts5',
    tools: 2,
    n: 2,
    recall: { 1: 0.5, 10: 1 },
    mrr10: 0.75,
    none: { n: 1, abstained: 1, weak: 0 },
    byCategory: { task: { n: 1, recall: { 1: 1 } }, 'wrong on purpose': { n: 1, recall: { 1: 0 } } },
    byLang: { en: { n: 2 } },
  });
});

describe('tokens', () => {
  it('an episode is the meta-tools, a search with its answer, and the call', async () => {
    const report = await measureTokens({ tools, queries });
    const { metaToolTokens, definitionTokens, searchAnswer, episode, episodeWithDescribe, listingEpisode } = report;
    expect(report).toMatchObject({ tokenizer: 'o200k_base', tools: 2, n: 3 });
    // The query and the call are a few tokens each.
    expect(episode.max - metaToolTokens - searchAnswer.max).toBeGreaterThan(5);
    expect(episode.max - metaToolTokens - searchAnswer.max).toBeLessThan(60);
    expect(episodeWithDescribe.max).toBeGreaterThan(episode.max);
    expect(listingEpisode.max).toBeGreaterThan(definitionTokens);
    // Two tools are cheaper listed than searched for, and the figures say so.
    expect(report.breakEvenSearches).toBe(0);
    expect(report.episodeSavedPercent).toBeLessThan(0);
  });

  it('one file without the other is refused', async () => {
    await expect(measureTokens({ tools })).rejects.toThrow(/both/);
  });
});

it('speed measures each size next to plain FTS5', async () => {
  const reports = await measureSpeed({ sizes: [5, 40] });
  expect(reports.map((report) => report.tools)).toEqual([5, 40]);
  for (const { searchMs, ...figures } of reports) {
    for (const latency of Object.values(searchMs)) expect(latency.p95).toBeGreaterThanOrEqual(latency.p50);
    expect(Object.keys(searchMs)).toEqual(['hybrid', 'lexical', 'fts5']);
    const { madeUpVectors, settleEventLoopMaxMs, vectorsPerSecond, ...positive } = figures;
    for (const [name, value] of Object.entries(positive)) expect(value, name).toBeGreaterThan(0);
    expect(madeUpVectors).toBe(0);
    expect([settleEventLoopMaxMs, vectorsPerSecond].every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
  }
});

describe('the command line', () => {
  const run = promisify(execFile);
  const bench = (...args: string[]) =>
    run(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...args], { cwd: repositoryFolder });

  it('prints one JSON object and nothing else', async () => {
    const args = ['accuracy', '--tools', tools, '--queries', queries, '--arm', 'minisearch', '--json'];
    expect(JSON.parse((await bench(...args)).stdout)).toMatchObject({ arm: 'minisearch', n: 2 });
  });

  const expecting = (recall: number) => ({
    name: 'tiny',
    about: '',
    base: 'repository',
    sets: [{ set: 't', tools, queries }],
    arms: ['lexical'],
    tolerance: 0.01,
    expected: { t: { lexical: { 'recall@1': recall } } },
  });

  // Of two queries one may fall without harm, so the figure that fails lies more than .5 above.
  it.each([
    ['passes', 0.5, 0],
    ['fails where a figure fell', 1.2, 1],
  ])('a suite %s', async (_, recall, code) => {
    const suite = write('tiny.json', [expecting(recall)]);
    const outcome = await bench('suite', suite, '--no-cache').then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(outcome.code).toBe(code);
    expect(outcome.stderr.includes('FELL: t, lexical: recall@1 is 0.500, expected 1.200')).toBe(code === 1);
  });

  it('an unknown suite ends with 2 and a sentence', async () => {
    await expect(bench('suite', 'nothing')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^No suite nothing/),
    });
  });
});

it('overhead calls the same tool directly and through toolcrib', async () => {
  const { n, direct, router, added } = await measureOverhead({ n: 20 });
  expect(n).toBe(20);
  for (const way of [direct, router]) {
    expect(way.p50).toBeGreaterThan(0);
    expect(way.p99).toBeGreaterThanOrEqual(way.p50);
  }
  expect(added.p50).toBeCloseTo(router.p50 - direct.p50, 3);
});
