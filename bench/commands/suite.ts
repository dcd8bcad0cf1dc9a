import { withExpected } from '../suites/check-expected.ts';
import { type ArmResult, runSuite, type SuiteResult } from '../suites/run-suite.ts';
import { loadSuite, saveSuite } from '../suites/suite.ts';

export interface SuiteOptions {
  /** Default true: catalogs are kept in `bench/.cache`. */
  cache: boolean;
  /** Makes what was measured the expectation of the next run. */
  updateExpected?: boolean;
  onResult?: (result: ArmResult) => void;
}

/** Runs a suite by name. Throws BenchError for an unknown suite or missing files. */
export async function measureSuite(name: string, options: SuiteOptions): Promise<SuiteResult> {
  const suite = loadSuite(name);
  const result = await runSuite(suite, {
    useCache: options.cache,
    ...(options.onResult === undefined ? {} : { onResult: options.onResult }),
  });
  if (options.updateExpected) saveSuite(name, withExpected(suite, result.results));
  return result;
}
