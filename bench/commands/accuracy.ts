import { basename, dirname } from 'node:path';
import { type ArmName, createArm } from '../arms/index.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import { type AccuracyReport, accuracyReport } from '../metrics/accuracy-report.ts';
import { askAll } from '../metrics/answers.ts';

export interface AccuracyOptions {
  tools: string;
  queries: string;
  arm: ArmName;
  /** Keeps the ingested catalog for the next run. Default: in memory. */
  catalog?: string;
}

/** Ingests the tools, waits for their vectors, asks every query with a limit of 10 and scores the answers. */
export async function measureAccuracy(options: AccuracyOptions): Promise<AccuracyReport> {
  const toolSet = loadTools(options.tools);
  const queries = loadQueries(options.queries);
  const arm = createArm(options.arm, options.catalog === undefined ? {} : { catalog: options.catalog });
  try {
    await arm.index(toolSet);
    const set = basename(dirname(options.queries));
    return accuracyReport({ arm: options.arm, set, tools: toolSet.toolCount }, await askAll(arm, queries));
  } finally {
    await arm.close();
  }
}
