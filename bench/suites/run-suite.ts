import { createArm, isProductArm } from '../arms/index.ts';
import type { SetFiles } from '../data/bench-data.ts';
import { openCatalogFile } from '../data/catalog-cache.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import { type AccuracyReport, accuracyReport } from '../metrics/accuracy-report.ts';
import { askAll } from '../metrics/answers.ts';
import { type ConfidenceCurve, confidenceCurve } from '../metrics/confidence-curve.ts';
import { checkExpected, type Shortfall } from './check-expected.ts';
import { type Suite, suiteFiles } from './suite.ts';

/** One arm on one set: what `accuracy` prints, and the curve where the set has queries that no tool fits. */
export interface ArmResult extends AccuracyReport {
  confidenceCurve?: ConfidenceCurve;
}

export interface SuiteResult {
  suite: string;
  /** In the order of sets, then arms. */
  results: ArmResult[];
  /** Figures below what is expected, less the tolerance. Empty: passed. */
  shortfalls: Shortfall[];
  durationMs: number;
}

export interface RunSuiteOptions {
  /** Keeps catalogs in `bench/.cache` for the next run. */
  useCache: boolean;
  onResult?: (result: ArmResult) => void;
}

/** Runs every arm on every set. Throws BenchError where files are missing. */
export async function runSuite(suite: Suite, { useCache, onResult }: RunSuiteOptions): Promise<SuiteResult> {
  const start = performance.now();
  const results: ArmResult[] = [];
  for (const files of suiteFiles(suite)) {
    for await (const result of runSet(files, suite.arms, useCache)) {
      results.push(result);
      onResult?.(result);
    }
  }
  return {
    suite: suite.name,
    results,
    shortfalls: checkExpected(suite, results),
    durationMs: Math.round(performance.now() - start),
  };
}

/** The product's arms share one catalog, so that it is ingested and embedded once. */
async function* runSet({ set, tools, queries }: SetFiles, arms: Suite['arms'], useCache: boolean) {
  const toolSet = loadTools(tools);
  const labelled = loadQueries(queries);
  const catalog = openCatalogFile(tools, useCache);
  try {
    for (const name of arms) {
      const arm = createArm(name, isProductArm(name) ? { catalog: catalog.path } : {});
      try {
        await arm.index(toolSet);
        const answers = await askAll(arm, labelled);
        const curve = confidenceCurve(answers);
        const report = accuracyReport({ arm: name, set, tools: toolSet.toolCount }, answers);
        yield { ...report, ...(curve === undefined ? {} : { confidenceCurve: curve }) };
      } finally {
        await arm.close();
      }
    }
  } finally {
    catalog.release();
  }
}
