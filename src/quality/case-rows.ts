import { isAlias, isSeq, LineCounter, parseDocument } from 'yaml';
import { messageOf, ToolcribError } from '../errors/index.ts';
import { type CaseFile, isJsonObject, type JsonObject } from '../model/index.ts';

/** One case as it stands in a file. */
export interface CaseRow {
  file: string;
  /** From 1. */
  line: number;
  value: JsonObject;
}

/** A fault of a case file, told with all others of it. */
export interface CaseProblem {
  file: string;
  line: number;
  message: string;
}

/** The cases of a JSON Lines or YAML file, each with its line. Throws `cases_invalid` with every line that cannot be read. */
export function readCaseRows(file: CaseFile): CaseRow[] {
  const { rows, problems } = /\.ya?ml$/i.test(file.name) ? readYaml(file) : readJsonLines(file);
  if (problems.length === 0 && rows.length === 0) {
    problems.push({ file: file.name, line: 1, message: 'there is no case in it' });
  }
  if (problems.length > 0) throw invalidCases(problems);
  return rows;
}

const toldMax = 20;

/** One error for all faults, by file and line. */
export function invalidCases(problems: readonly CaseProblem[]): ToolcribError {
  const told = problems.slice(0, toldMax).map(({ file, line, message }) => `  ${file}, line ${line}: ${message}`);
  const more = problems.length > toldMax ? [`  … and ${problems.length - toldMax} more`] : [];
  const count = problems.length === 1 ? 'An error' : `${problems.length} errors`;
  return new ToolcribError('cases_invalid', [`${count} in the cases:`, ...told, ...more].join('\n'), {
    details: { problems },
  });
}

interface Reading {
  rows: CaseRow[];
  problems: CaseProblem[];
}

function readJsonLines({ name: file, text }: CaseFile): Reading {
  const reading: Reading = { rows: [], problems: [] };
  for (const [at, content] of text.split(/\r?\n/).entries()) {
    if (content.trim() === '') continue;
    const line = at + 1;
    try {
      addRow(reading, file, line, JSON.parse(content));
    } catch (error) {
      reading.problems.push({ file, line, message: `not JSON: ${messageOf(error)}` });
    }
  }
  return reading;
}

function readYaml({ name: file, text }: CaseFile): Reading {
  const reading: Reading = { rows: [], problems: [] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const { message, pos } of document.errors) {
    reading.problems.push({ file, line: lines.linePos(pos[0]).line, message: `not YAML: ${message}` });
  }
  if (reading.problems.length > 0 || document.contents === null) return reading;
  if (!isSeq(document.contents)) {
    reading.problems.push({ file, line: 1, message: 'expected a list of cases' });
    return reading;
  }
  for (const item of document.contents.items) {
    const node = item as { range?: [number, number, number]; toJS(document: unknown): unknown } | null;
    const line = node?.range === undefined ? 1 : lines.linePos(node.range[0]).line;
    addRow(reading, file, line, isAlias(item) ? undefined : node?.toJS(document));
  }
  return reading;
}

function addRow({ rows, problems }: Reading, file: string, line: number, value: unknown): void {
  if (isJsonObject(value)) rows.push({ file, line, value });
  else problems.push({ file, line, message: 'expected an object' });
}
