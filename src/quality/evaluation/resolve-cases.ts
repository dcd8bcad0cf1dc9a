import type { Tool } from '../../model/index.ts';
import { parameterNames } from '../../render/index.ts';
import { type CaseProblem, invalidCases } from '../case-rows.ts';
import { toolsByName } from '../tools-by-name.ts';
import type { EvaluationCase } from './read-cases.ts';

/** A case whose tools are known. */
export interface ResolvedCase extends Omit<EvaluationCase, 'expect' | 'accept' | 'not' | 'inject'> {
  /** Exposed names. */
  expect: string[];
  accept: string[];
  not: string[];
  inject?: { tool: Tool; text: string; attack: string };
}

/** Finds the tools that cases name. Throws `cases_invalid` for names that no tool, or more than one, has. */
export function resolveCases(cases: readonly EvaluationCase[], tools: readonly Tool[]): ResolvedCase[] {
  const named = toolsByName(tools);
  const problems: CaseProblem[] = [];
  const resolved = cases.map((one): ResolvedCase => {
    const find = (field: string, name: string): Tool[] => {
      const found = named.get(name) ?? [];
      if (found.length !== 1)
        problems.push({ file: one.file, line: one.line, message: `${field}: ${reason(name, found)}` });
      return found.slice(0, 1);
    };
    const names = (field: 'expect' | 'accept' | 'not') =>
      one[field].flatMap((name) => find(field, name)).map(({ exposedName }) => exposedName);
    const known = new Set(
      one.expect.flatMap((name) => named.get(name) ?? []).flatMap((tool) => parameterNames(tool.inputSchema)),
    );
    for (const name of one.missing.filter((parameter) => !known.has(parameter))) {
      problems.push({
        file: one.file,
        line: one.line,
        message: `missing: the expected tool has no parameter ${JSON.stringify(name)}`,
      });
    }
    const { inject, ...rest } = one;
    const [tool] = inject === undefined ? [] : find('inject.tool', inject.tool);
    return {
      ...rest,
      expect: names('expect'),
      accept: names('accept'),
      not: names('not'),
      ...(inject === undefined || tool === undefined ? {} : { inject: { ...inject, tool } }),
    };
  });
  if (problems.length > 0) throw invalidCases(problems);
  return resolved;
}

function reason(name: string, found: readonly Tool[]): string {
  if (found.length === 0) return `there is no tool ${JSON.stringify(name)} in the catalog`;
  return `${JSON.stringify(name)} may be ${found.map(({ exposedName }) => exposedName).join(' or ')}`;
}
