import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CreateOptions, createToolcrib } from '../../../src/app/index.ts';
import type { ExercisePlan, ExerciseReport, JsonObject, Toolcrib } from '../../../src/model/index.ts';
import { temporaryFolder } from '../../catalog/harness.ts';

const rawServer = fileURLToPath(new URL('../../fixtures/servers/raw-server.mjs', import.meta.url));
/** Real processes on a busy machine. */
const timeoutMs = 60_000;

interface Set {
  crib: Toolcrib;
  /** Names of the tools that the server was asked to call. */
  received(): string[];
  exercise(rows: JsonObject[], confirm?: (plan: ExercisePlan) => Promise<boolean>): Promise<ExerciseReport>;
}

async function setUp(options: CreateOptions = {}): Promise<Set> {
  const folder = temporaryFolder();
  const record = join(folder, 'record.jsonl');
  const crib = createToolcrib({
    mcpServers: { raw: { command: process.execPath, args: [rawServer, JSON.stringify({ record })] } },
    embedding: 'none',
    catalog: join(folder, 'catalog.db'),
    ...options,
  });
  onTestFinished(() => crib.close());
  await crib.sync();
  return {
    crib,
    received: () =>
      readFileSync(record, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ method }) => method === 'tools/call')
        .map(({ params }) => params.name),
    exercise: (rows, confirm = async () => true) =>
      crib
        .quality()
        .exercise({ cases: [{ name: 'c.jsonl', text: rows.map((row) => JSON.stringify(row)).join('\n') }], confirm }),
  };
}

describe('exercise', () => {
  it('makes calls of each kind, and reports their rows of the record', { timeout: timeoutMs }, async () => {
    const { exercise, received } = await setUp({ policy: [{ action: 'deny', caller: 'guest' }] });
    const report = await exercise([
      { id: 'valid', tool: 'echo', arguments: { text: 'hello' }, contains: 'hello' },
      { id: 'invalid', kind: 'invalid', tool: 'raw/echo', arguments: { text: {} } },
      { id: 'unauthorised', kind: 'unauthorised', tool: 'raw__echo', caller: 'guest' },
      { id: 'repeated', kind: 'repeated', tool: 'pid' },
      { id: 'interrupted', kind: 'interrupted', tool: 'hang', afterMs: 50 },
    ]);
    expect(report.outcomes.map(({ id, passed, problem }) => ({ id, passed, problem }))).toEqual(
      ['valid', 'invalid', 'unauthorised', 'repeated', 'interrupted'].map((id) => ({
        id,
        passed: true,
        problem: undefined,
      })),
    );
    expect(report).toMatchObject({ cases: 5, passed: 5 });
    expect(
      report.outcomes.map(({ rows }) => rows.map(({ tool, outcome, caller }) => `${tool} ${outcome} ${caller}`)),
    ).toEqual([
      ['echo ok exercise'],
      ['echo invalid_arguments exercise'],
      ['echo denied guest'],
      ['pid ok exercise', 'pid ok exercise'],
      ['hang cancelled exercise'],
    ]);
    expect(received()).toEqual(['echo', 'pid', 'hang']);
  });

  it('says what came where it was not what was expected', { timeout: timeoutMs }, async () => {
    const { exercise } = await setUp();
    const { outcomes, passed } = await exercise([
      { tool: 'fail', arguments: { error: { code: -32603, message: 'no' } } },
      { kind: 'unauthorised', tool: 'echo', arguments: { text: 'a' } },
      { tool: 'echo', arguments: { text: 'a' }, contains: 'b' },
      { kind: 'interrupted', tool: 'echo', afterMs: 30_000 },
      { tool: 'fail', arguments: { error: { code: -32603, message: 'no' } }, expect: 'upstream_error' },
    ]);
    expect(passed).toBe(1);
    expect(outcomes.map(({ problem }) => problem)).toEqual([
      'Expected ok, got upstream_error.',
      'Expected denied or not_authorized or approval_required, got ok.',
      'The result does not hold "b".',
      'Expected cancelled, got ok.',
      undefined,
    ]);
  });

  it('calls nothing without a yes, and shows before what it would call', { timeout: timeoutMs }, async () => {
    const { exercise, received, crib } = await setUp();
    const plans: ExercisePlan[] = [];
    const refused = exercise([{ kind: 'repeated', tool: 'pid' }, { tool: 'pid' }], async (plan) => {
      plans.push(plan);
      return false;
    });
    await expect(refused).rejects.toMatchObject({ code: 'cancelled' });
    expect(plans).toEqual([{ calls: 3, tools: [{ name: 'raw__pid', calls: 3 }] }]);
    expect(received()).toEqual([]);
    expect(crib.auditLog().filter(({ kind }) => kind === 'call')).toEqual([]);
  });

  it('names the lines of cases that cannot be run', { timeout: timeoutMs }, async () => {
    const { exercise } = await setUp();
    const bad = [
      { kind: 'valid' },
      { tool: 'nowhere' },
      { tool: 'pid', arguments: [] },
      { tool: 'pid', afterMs: 5 },
      { tool: 'pid', kind: 'interrupted', afterMs: -1 },
    ];
    const error: unknown = await exercise(bad).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'cases_invalid' });
    for (const line of [
      'c.jsonl, line 1: tool: there is none',
      'c.jsonl, line 2: tool: there is no tool "nowhere" in the catalog',
      'c.jsonl, line 3: arguments: expected an object, got []',
      'c.jsonl, line 4: afterMs: only cases of kind "interrupted" are given up',
      'c.jsonl, line 5: afterMs: expected a whole number of milliseconds up to 600000, got -1',
    ]) {
      expect(String(error)).toContain(line);
    }
  });

  it('needs the record of calls', { timeout: timeoutMs }, async () => {
    const { exercise } = await setUp({ audit: { enabled: false } });
    await expect(exercise([{ tool: 'pid' }])).rejects.toMatchObject({ code: 'config_invalid' });
  });
});
