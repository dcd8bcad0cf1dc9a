import { expect, it } from 'vitest';
import { shortfallLine } from '../../bench/reports/terminal.ts';
import { runSuite } from '../../bench/suites/run-suite.ts';
import { loadSuite, suiteFiles } from '../../bench/suites/suite.ts';

it('the own suite scores what is expected of it', async () => {
  const suite = loadSuite('own');
  expect(Object.keys(suite.expected), 'a suite that expects nothing proves nothing').toEqual(['own']);
  const { results, shortfalls } = await runSuite(suite, { useCache: false });
  expect(results.map(({ arm }) => arm)).toEqual(suite.arms);
  expect(shortfalls.map(shortfallLine)).toEqual([]);
});

it('the own suite is part of the repository', () => {
  expect(loadSuite('own').base).toBe('repository');
  expect(() => suiteFiles(loadSuite('own'))).not.toThrow();
});
