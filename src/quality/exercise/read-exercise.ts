import type { CaseFile, ExerciseKind, JsonObject, Tool } from '../../model/index.ts';
import { CaseFields } from '../case-fields.ts';
import { type CaseProblem, type CaseRow, invalidCases, readCaseRows } from '../case-rows.ts';
import { toolsByName } from '../tools-by-name.ts';

/** Calls to make of one tool, and how they are to end. */
export interface ExerciseCase {
  id: string;
  kind: ExerciseKind;
  tool: Tool;
  args: JsonObject;
  /** Outcomes that are right, as the record of calls names them. */
  expect: string[];
  /** A text that the last result is to hold. */
  contains?: string;
  /** Who calls. */
  caller: string;
  /** Milliseconds until an interrupted call is given up. */
  afterMs: number;
  file: string;
  line: number;
}

/** Outcomes that are right where a case does not say. */
const expected: Record<ExerciseKind, string[]> = {
  valid: ['ok'],
  invalid: ['invalid_arguments'],
  unauthorised: ['denied', 'not_authorized', 'approval_required'],
  repeated: ['ok'],
  interrupted: ['cancelled'],
};

const kinds = Object.keys(expected) as ExerciseKind[];
const fields = ['id', 'kind', 'tool', 'arguments', 'expect', 'contains', 'caller', 'afterMs', 'note'];

/** Policies may name it, to allow these calls or to bound them. */
const defaultCaller = 'exercise';
/** A call of another machine is under way by then, and most are not done. */
const defaultAfterMs = 100;
/** Longer than calls may run by default. */
const afterMaxMs = 600_000;

/** The cases of all files. Throws `cases_invalid` with every fault, by file and line. */
export function readExercise(files: readonly CaseFile[], tools: readonly Tool[]): ExerciseCase[] {
  const problems: CaseProblem[] = [];
  const named = toolsByName(tools);
  const cases = files.flatMap(readCaseRows).flatMap((row) => readCase(row, named, problems) ?? []);
  if (problems.length > 0) throw invalidCases(problems);
  return cases;
}

function readCase(row: CaseRow, named: ReadonlyMap<string, Tool[]>, problems: CaseProblem[]): ExerciseCase | undefined {
  const read = new CaseFields(row, problems, fields);
  const kind = read.choice('kind', kinds) ?? 'valid';
  const name = read.text('tool');
  if (row.value.tool === undefined) read.report('tool: there is none');
  const found = name === undefined ? [] : (named.get(name) ?? []);
  if (name !== undefined && found.length !== 1) {
    const others = found.map(({ exposedName }) => exposedName).join(' or ');
    read.report(
      found.length === 0
        ? `tool: there is no tool ${JSON.stringify(name)} in the catalog`
        : `tool: ${JSON.stringify(name)} may be ${others}`,
    );
  }
  const [tool] = found;
  const afterMs = readAfterMs(row, read, kind);
  const args = read.object('arguments') ?? {};
  const expect = read.texts('expect');
  const contains = read.text('contains');
  if (tool === undefined) return undefined;
  return {
    id: read.text('id') ?? `${row.file}:${row.line}`,
    kind,
    tool,
    args,
    expect: expect.length > 0 ? expect : expected[kind],
    ...(contains === undefined ? {} : { contains }),
    caller: read.text('caller') ?? defaultCaller,
    afterMs,
    file: row.file,
    line: row.line,
  };
}

function readAfterMs({ value: { afterMs } }: CaseRow, read: CaseFields, kind: ExerciseKind): number {
  if (afterMs === undefined) return defaultAfterMs;
  if (kind !== 'interrupted') read.report('afterMs: only cases of kind "interrupted" are given up');
  if (typeof afterMs === 'number' && Number.isInteger(afterMs) && afterMs >= 0 && afterMs <= afterMaxMs) return afterMs;
  read.report(`afterMs: expected a whole number of milliseconds up to ${afterMaxMs}, got ${JSON.stringify(afterMs)}`);
  return defaultAfterMs;
}
