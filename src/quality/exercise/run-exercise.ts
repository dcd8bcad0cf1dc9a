import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolcribError } from '../../errors/index.ts';
import type {
  AuditEntry,
  CallOptions,
  CallToolResult,
  CatalogReader,
  ExerciseOptions,
  ExerciseOutcome,
  ExercisePlan,
  ExerciseReport,
  JsonObject,
} from '../../model/index.ts';
import { type ExerciseCase, readExercise } from './read-exercise.ts';

/** The way to the servers, which only `exercise` is given. */
export interface ExerciseDeps {
  catalog: Pick<CatalogReader, 'tools'>;
  call(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult>;
  /** The record of calls; entries come some tenths of a second after their call. */
  audit(query: { afterId?: number; limit: number }): AuditEntry[];
}

/** Makes the calls of every case, one after the other, and judges them by the record. Throws as `CatalogQuality.exercise` does. */
export async function runExercise(deps: ExerciseDeps, options: ExerciseOptions): Promise<ExerciseReport> {
  const cases = readExercise(options.cases, deps.catalog.tools());
  if ((await options.confirm(planOf(cases))) !== true) throw ended('Nothing was called.');
  const outcomes: ExerciseOutcome[] = [];
  for (const one of cases) {
    if (options.signal?.aborted) throw ended('The exercise was interrupted.');
    outcomes.push(await runCase(one, deps, options.signal));
    options.onProgress?.(outcomes.length, cases.length);
  }
  return { cases: outcomes.length, passed: outcomes.filter(({ passed }) => passed).length, outcomes };
}

function ended(message: string): ToolcribError {
  return new ToolcribError('cancelled', message, { next: 'Run it again.' });
}

function planOf(cases: readonly ExerciseCase[]): ExercisePlan {
  const calls = new Map<string, number>();
  for (const { tool, kind } of cases) calls.set(tool.exposedName, (calls.get(tool.exposedName) ?? 0) + callsOf(kind));
  return {
    calls: [...calls.values()].reduce((sum, count) => sum + count, 0),
    tools: [...calls].map(([name, count]) => ({ name, calls: count })),
  };
}

function callsOf(kind: ExerciseCase['kind']): number {
  return kind === 'repeated' ? 2 : 1;
}

/** Rows that may have been written by others meanwhile. */
const rowsMax = 10_000;

async function runCase(
  one: ExerciseCase,
  deps: ExerciseDeps,
  signal: AbortSignal | undefined,
): Promise<ExerciseOutcome> {
  const afterId = deps.audit({ limit: 1 }).at(-1)?.id ?? 0;
  // The record names a call by its key, so that calls of others are told apart.
  const key = `exercise-${randomUUID()}`;
  const results: (CallToolResult | undefined)[] = [];
  for (let made = 0; made < callsOf(one.kind); made += 1) results.push(await makeCall(one, key, deps, signal));
  const rows = await rowsOf(key, results.length, afterId, deps);
  const problem = judge(one, rows, results);
  return {
    id: one.id,
    kind: one.kind,
    tool: one.tool.exposedName,
    file: one.file,
    line: one.line,
    passed: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    rows,
  };
}

const idempotencyKey = 'dev.toolcrib/idempotencyKey';

/** Undefined for a call that was given up. */
async function makeCall(
  { kind, tool, args, caller, afterMs }: ExerciseCase,
  key: string,
  { call }: ExerciseDeps,
  signal: AbortSignal | undefined,
): Promise<CallToolResult | undefined> {
  const limit = kind === 'interrupted' ? [AbortSignal.timeout(afterMs)] : [];
  const signals = [...limit, ...(signal === undefined ? [] : [signal])];
  try {
    return await call(
      'call_tool',
      { name: tool.exposedName, arguments: args },
      {
        principal: caller,
        meta: { [idempotencyKey]: key },
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      },
    );
  } catch (error) {
    if (signals.some(({ aborted }) => aborted)) return undefined;
    throw error;
  }
}

/** The record is written in batches; a busy machine takes longer. */
const recordWaitMs = 5_000;
const pollMs = 50;

async function rowsOf(key: string, count: number, afterId: number, { audit }: ExerciseDeps): Promise<AuditEntry[]> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const rows = audit({ afterId, limit: rowsMax }).filter(({ operationId }) => operationId === key);
    if (rows.length >= count || waitedMs >= recordWaitMs) return rows;
    await delay(pollMs);
  }
}

function judge(
  { kind, expect, contains }: ExerciseCase,
  rows: readonly AuditEntry[],
  results: readonly (CallToolResult | undefined)[],
): string | undefined {
  if (rows.length < results.length) return `${results.length - rows.length} of its calls are not in the record.`;
  const wrong = rows.find(({ outcome = '' }) => !expect.includes(outcome));
  if (wrong !== undefined) return `Expected ${expect.join(' or ')}, got ${wrong.outcome}.`;
  if (kind === 'repeated' && rows.at(-1)?.rule !== 'idempotency key') return 'The second call was sent as well.';
  if (kind === 'repeated' && textOf(results[0]) !== textOf(results[1])) return 'The second call had another result.';
  if (contains !== undefined && !textOf(results.at(-1)).includes(contains)) {
    return `The result does not hold ${JSON.stringify(contains)}.`;
  }
  return undefined;
}

function textOf(result: CallToolResult | undefined): string {
  return (result?.content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
