import type { CatalogReader, LintFinding, LintLevel, LintReport, LintRuleSummary, Tool } from '../../model/index.ts';
import { loadTokenCounter } from '../../render/index.ts';
import { parameterTree } from '../parameter-tree.ts';
import { toolAction } from '../tool-action.ts';
import { linted } from './linted-catalog.ts';
import type { LintRule, LintSubject } from './rule.ts';
import { lintRules } from './rules/index.ts';

export interface LintOptions {
  /** Only tools of this server; they are compared with those of all. */
  server?: string;
  /** Longest exposed name, in characters. */
  nameMaxLength: number;
}

/** Checks every definition of the catalog, set-aside ones included, by every rule. Calls nothing and changes nothing. */
export async function lintCatalog(catalog: CatalogReader, { server, nameMaxLength }: LintOptions): Promise<LintReport> {
  const subjects = catalog.tools({ includeSetAside: true }).map(toSubject);
  const wanted = subjects.filter(({ tool }) => server === undefined || tool.serverId === server);
  const context = linted(subjects, { nameMaxLength, countTokens: await loadTokenCounter() });
  const findings = wanted.flatMap((subject) =>
    lintRules.flatMap((rule) => Array.from(rule.check(subject, context), (hit) => toFinding(rule, subject.tool, hit))),
  );
  return {
    tools: wanted.length,
    levels: { error: count(findings, 'error'), warning: count(findings, 'warning'), info: count(findings, 'info') },
    rules: summaries(findings),
    findings,
  };
}

function toSubject(tool: Tool): LintSubject {
  return {
    tool,
    description: (tool.description ?? '').trim(),
    action: toolAction(tool.toolName, tool.serverId),
    parameters: parameterTree(tool.inputSchema),
  };
}

function toFinding(
  { code, level, why, fix }: LintRule,
  { exposedName, serverId, toolName }: Tool,
  hit: { field: string; message: string; level?: LintLevel; fix?: string },
): LintFinding {
  return {
    rule: code,
    level: hit.level ?? level,
    name: exposedName,
    server: serverId,
    tool: toolName,
    field: hit.field,
    message: hit.message,
    why,
    fix: hit.fix ?? fix,
  };
}

function count(findings: readonly LintFinding[], level: LintLevel): number {
  return findings.filter((finding) => finding.level === level).length;
}

function summaries(findings: readonly LintFinding[]): LintRuleSummary[] {
  return lintRules
    .map(({ code, title }) => {
      const own = findings.filter(({ rule }) => rule === code);
      return { rule: code, title, findings: own.length, tools: new Set(own.map(({ name }) => name)).size };
    })
    .filter((summary) => summary.findings > 0)
    .sort((a, b) => b.findings - a.findings);
}
