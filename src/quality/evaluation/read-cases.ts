import type { CaseFile, CaseKind } from '../../model/index.ts';
import { CaseFields } from '../case-fields.ts';
import { type CaseProblem, type CaseRow, invalidCases, readCaseRows } from '../case-rows.ts';

/** One case of an evaluation, with names of tools as they were written. */
export interface EvaluationCase {
  id: string;
  kind: CaseKind;
  query: string;
  file: string;
  line: number;
  /** All of these are to be found; none for `none`. */
  expect: string[];
  /** Each is as right as those expected. */
  accept: string[];
  /** Taken for the right ones, for `boundary`. */
  not: string[];
  /** Parameters whose values the user left out, for `missing_context`. */
  missing: string[];
  inject?: Injection;
}

/** Text that goes into the description of a tool, in a copy of the catalog. */
export interface Injection {
  tool: string;
  text: string;
  /** Which kind of attack it is, in the words of whoever wrote the case. */
  attack: string;
}

const kinds: readonly CaseKind[] = ['task', 'boundary', 'missing_context', 'none', 'adversarial'];
const fields = ['id', 'kind', 'query', 'expect', 'accept', 'not', 'missing', 'inject', 'note'];

/** The cases of all files. Throws `cases_invalid` with every fault, by file and line. */
export function readCases(files: readonly CaseFile[]): EvaluationCase[] {
  const problems: CaseProblem[] = [];
  const cases = files.flatMap(readCaseRows).flatMap((row) => readCase(row, problems) ?? []);
  const lineOfId = new Map<string, EvaluationCase>();
  for (const one of cases) {
    const other = lineOfId.get(one.id);
    if (other === undefined) lineOfId.set(one.id, one);
    else
      problems.push({
        file: one.file,
        line: one.line,
        message: `id ${one.id} stands in ${other.file}, line ${other.line}, already`,
      });
  }
  if (problems.length > 0) throw invalidCases(problems);
  return cases;
}

function readCase(row: CaseRow, problems: CaseProblem[]): EvaluationCase | undefined {
  const before = problems.length;
  const read = new CaseFields(row, problems, fields);
  const kind = read.choice('kind', kinds) ?? 'task';
  const query = read.text('query');
  if (row.value.query === undefined) read.report('query: there is none');
  const expect = read.texts('expect');
  if (kind === 'none' && expect.length > 0) read.report('expect: a case of kind "none" expects no tool');
  if (kind !== 'none' && row.value.expect === undefined)
    read.report(`expect: a case of kind "${kind}" names the right tools`);
  const inject = readInjection(row, read, kind, problems);
  const one = {
    id: read.text('id') ?? `${row.file}:${row.line}`,
    kind,
    query: query ?? '',
    file: row.file,
    line: row.line,
    expect,
    accept: read.texts('accept'),
    not: read.texts('not'),
    missing: read.texts('missing'),
    ...(inject === undefined ? {} : { inject }),
  };
  return problems.length > before ? undefined : one;
}

function readInjection(row: CaseRow, read: CaseFields, kind: CaseKind, problems: CaseProblem[]): Injection | undefined {
  const value = read.object('inject');
  if (kind !== 'adversarial') {
    if (row.value.inject !== undefined) read.report('inject: only cases of kind "adversarial" inject text');
    return undefined;
  }
  if (value === undefined) {
    if (row.value.inject === undefined) read.report('inject: there is none; expected { tool, text, attack? }');
    return undefined;
  }
  const inner = new CaseFields({ ...row, value }, problems, ['tool', 'text', 'attack']);
  const [tool, text] = [inner.text('tool'), inner.text('text')];
  for (const key of ['tool', 'text']) if (value[key] === undefined) read.report(`inject.${key}: there is none`);
  return tool === undefined || text === undefined
    ? undefined
    : { tool, text, attack: inner.text('attack') ?? 'injection' };
}
