import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { HangGuard } from './hang-guard.ts';
import type { FuzzTarget } from './target.ts';

export interface FuzzOptions {
  seed: number;
  /** For each target. */
  durationMs: number;
  /** Of an earlier failure, to try that case alone. */
  path?: string;
}

export interface FuzzReport {
  target: string;
  cases: number;
  /** What went wrong, with the smallest case and how to try it again. */
  failure?: string;
}

/** A case that takes longer counts as a hang: most take milliseconds, and machines that run tests are busy. */
const caseMaxMs = 30_000;
const shownCaseLength = 4_000;

/** Puts cases into each target until its time is over or one goes wrong. The same seed makes the same cases. */
export async function runFuzz(targets: readonly FuzzTarget[], options: FuzzOptions): Promise<FuzzReport[]> {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onRejection);
  const guard = new HangGuard(2 * caseMaxMs);
  const reports: FuzzReport[] = [];
  try {
    for (const target of targets) reports.push(await fuzz(target, options, { rejections, guard }));
  } finally {
    guard.close();
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onRejection);
  }
  return reports;
}

interface Watch {
  rejections: unknown[];
  guard: HangGuard;
}

async function fuzz(target: FuzzTarget, options: FuzzOptions, { rejections, guard }: Watch): Promise<FuzzReport> {
  const { seed, durationMs, path } = options;
  let cases = 0;
  const property = fc.asyncProperty(target.cases, async (value) => {
    guard.beat(`${target.name}, seed ${seed}: ${show(value)}`);
    cases += 1;
    const startedAt = performance.now();
    await target.run(value);
    await turn();
    const tookMs = performance.now() - startedAt;
    if (tookMs > caseMaxMs) throw new Error(`It took ${Math.round(tookMs)} ms.`);
    const [rejection] = rejections.splice(0);
    if (rejection !== undefined) throw new Error(`Nobody handled: ${String(rejection)}`, { cause: rejection });
  });
  const details = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    maxSkipsPerRun: 0,
    interruptAfterTimeLimit: durationMs,
    timeout: caseMaxMs,
    ...(path === undefined ? {} : { path, numRuns: 1 }),
  });
  if (!details.failed || details.counterexample === null) return { target: target.name, cases };
  const again = `npm run -s fuzz -- --target ${target.name} --seed ${seed} --path ${details.counterexamplePath}`;
  const reason = details.errorInstance instanceof Error ? details.errorInstance.stack : String(details.errorInstance);
  const [smallest] = details.counterexample;
  return {
    target: target.name,
    cases,
    failure: `${reason}\ncase: ${show(smallest)}\nagain: ${again} (without --path: after the cases before it)`,
  };
}

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, shownCaseLength);
}
