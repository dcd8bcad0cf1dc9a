import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeedReport } from '../../bench/commands/speed.ts';
import { machineName } from '../../bench/reports/environment.ts';
import { newestRun, recordSpeed, recordSuite } from '../../bench/reports/runs.ts';
import { writeReports } from '../../bench/reports/write-reports.ts';
import type { ArmResult, SuiteResult } from '../../bench/suites/run-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-reports-'));
const runs = join(folder, 'runs');
afterAll(() => rmSync(folder, { recursive: true }));

function at(value: number) {
  return { 1: value, 3: value, 5: value, 10: value };
}

function result(arm: string, value: number, byCategory: Record<string, number> = {}): ArmResult {
  return {
    arm,
    set: 'fruit',
    tools: 3,
    n: 10,
    recall: at(value),
    hit: at(value),
    mrr10: value,
    ndcg10: value,
    none: { n: 2, abstained: 0, weak: 0.5 },
    weakAnswerable: 0.1,
    wronglyRefused: 0,
    byCategory: Object.fromEntries(Object.entries(byCategory).map(([name, own]) => [name, { n: 5, recall: at(own) }])),
    byLang: { en: { n: 10, recall: at(value) } },
    latencyMs: { p50: 1, p95: 2, p99: 3 },
    ci95: { recall5: [value - 0.1, value + 0.1] },
    confidenceCurve: {
      auc: 0.7,
      points: [
        [0, 0],
        [1, 1],
      ],
      marked: { answerable: 0.1, none: 0.5 },
    },
  };
}

const suite: SuiteResult = {
  suite: 'fruit-suite',
  results: [result('hybrid', 0.8, { apple: 0.9, pear: 0.3 }), result('fts5', 0.6, { apple: 0.5, pear: 0.7 })],
  shortfalls: [],
  durationMs: 5,
};

function speed(tools: number, p95: number): SpeedReport {
  const latency = { p50: 1, p95, p99: 2 * p95 };
  return {
    tools,
    ingestMs: 1,
    reingestUnchangedMs: 1,
    vectorsPerSecond: 1,
    coldFirstSearchMs: 1,
    searchMs: { hybrid: latency, lexical: latency, fts5: latency },
    rssMb: 1,
    catalogMb: 1,
    eventLoopMaxMs: 1,
    settleEventLoopMaxMs: 1,
    madeUpVectors: 0,
  };
}

it('says what to do when nothing was recorded', () => {
  expect(() => writeReports(folder)).toThrow(/--record/);
});

describe('a recorded run', () => {
  beforeAll(() => {
    recordSuite({ ...suite, suite: 'other' }, runs);
    recordSuite(suite, runs);
    recordSpeed([speed(1_000, 4), speed(10_000, 9)], runs);
    recordSpeed([speed(1_000, 5)], runs);
    // Older, and so not what is reported.
    mkdirSync(join(runs, '2000-01-01-abacus-1c'));
    writeFileSync(join(runs, '2000-01-01-abacus-1c/results.json'), '{}');
  });

  it('adds up in one folder; a repeat replaces', () => {
    expect(Object.keys(newestRun('results.json', runs)?.content ?? {})).toEqual(['other', 'fruit-suite']);
    const sizes = newestRun('speed.json', runs)?.content.map(({ tools, searchMs }) => [tools, searchMs.hybrid.p95]);
    expect(sizes).toEqual([
      [1_000, 5],
      [10_000, 9],
    ]);
  });

  it('tells the machine, not whose it is', () => {
    const environment = newestRun('speed.json', runs)?.environment;
    expect(environment).toMatchObject({ node: process.version, dependencies: { minisearch: '7.2.0' } });
    expect(JSON.stringify(environment)).not.toContain('/');
  });

  it('becomes RESULTS.md and pictures that it refers to', () => {
    const files = writeReports(folder);
    expect(files.every(existsSync)).toBe(true);
    const page = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
    const cells = page.replace(/ +/g, ' ');
    expect(cells).toContain('| hybrid | .800 | .800 | .700–.900 |');
    expect(cells).toContain('| pear (5) | .300 / .300 | .700 / .700 |');
    expect(cells).toContain('| fruit / pear | 5 | recall@1 | .300 | .700 fts5 | .400 |');
    expect(page).not.toContain('fruit / apple');
    const pictures = [...page.matchAll(/\]\((reports\/[^)]+\.svg)\)/g)].map(([, path]) => path as string);
    expect(new Set(pictures).size).toBe(readdirSync(join(folder, 'reports')).length);
    for (const path of pictures) {
      const picture = readFileSync(join(folder, path), 'utf8');
      expect(picture).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
      expect(picture).not.toMatch(/NaN|undefined|Infinity/);
      expect(picture).toContain('prefers-color-scheme: dark');
    }
  });
});

it.each([
  ['AMD EPYC', 2, 'amd-epyc-2c'],
  ['Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz', 8, 'intel-core-i7-8550u-8c'],
  ['Apple M2 Pro', 12, 'apple-m2-pro-12c'],
  ['', 1, 'machine-1c'],
])('machine %j with %i cores is called %s', (cpu, cores, name) => expect(machineName({ cpu, cores })).toBe(name));
