import { type Command, Option } from 'commander';
import type { LintFinding, LintLevel, LintReport, Toolcrib } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { singleLine } from '../output/plain-text.ts';
import { formatTable } from '../output/table.ts';
import { listNewServers } from '../sync-servers.ts';

/** Worst first. */
const levels: readonly LintLevel[] = ['error', 'warning', 'info'];

interface LintCommandOptions extends CommonOptions {
  failOn: LintLevel | 'never';
  level: LintLevel;
  rule?: string[];
  limit: number;
  sync: boolean;
}

/** `toolcrib lint [server]`: what models will trip over in the definitions, why, and what to do. */
export function addLintCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('lint')
    .description('find what models trip over in tool definitions, with why and a fix; nothing is called')
    .argument('[server]', 'only tools of this server')
    .addOption(
      new Option('--fail-on <level>', 'end with exit code 1 on findings of this level or worse')
        .choices([...levels, 'never'])
        .default('error'),
    )
    .addOption(new Option('--level <level>', 'leave out what is less than this').choices(levels).default('info'))
    .option('--rule <code...>', 'only these rules')
    .option('--limit <count>', 'findings of each rule that a terminal shows; 0 for all', wholeNumber(0, 1_000_000), 5)
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib lint github --fail-on warning').action(
    async (server: string | undefined, options: LintCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runLint(toolcrib, context.io, server, options));
    },
  );
}

async function runLint(
  toolcrib: Toolcrib,
  io: CliIo,
  server: string | undefined,
  options: LintCommandOptions,
): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const report = await toolcrib.quality().lint(server === undefined ? {} : { server });
  const shown = narrow(report, options);
  if (options.json) writeJson(io.stdout, shown);
  else
    io.stdout.write(io.stdout.isTTY ? await formatForTerminal(shown, options.limit, io.stdout) : formatForPipe(shown));
  return isFailure(shown, options.failOn) ? ExitCode.failed : ExitCode.ok;
}

/** The report without the levels and rules that are not asked for. */
function narrow(report: LintReport, { level, rule }: LintCommandOptions): LintReport {
  const findings = report.findings.filter(
    (finding) => isAtLeast(finding.level, level) && (rule === undefined || rule.includes(finding.rule)),
  );
  const rules = report.rules
    .map((summary) => {
      const own = findings.filter((finding) => finding.rule === summary.rule);
      return { ...summary, findings: own.length, tools: new Set(own.map(({ name }) => name)).size };
    })
    .filter((summary) => summary.findings > 0);
  const count = (wanted: LintLevel) => findings.filter((finding) => finding.level === wanted).length;
  return {
    ...report,
    findings,
    rules,
    levels: { error: count('error'), warning: count('warning'), info: count('info') },
  };
}

function isAtLeast(level: LintLevel, least: LintLevel): boolean {
  return levels.indexOf(level) <= levels.indexOf(least);
}

function isFailure({ findings }: LintReport, failOn: LintCommandOptions['failOn']): boolean {
  return failOn !== 'never' && findings.some(({ level }) => isAtLeast(level, failOn));
}

function formatForPipe({ findings }: LintReport): string {
  return formatLines(
    findings.map(({ level, rule, name, field, message, why, fix }) => [level, rule, name, field, message, why, fix]),
  );
}

/** Rule by rule, so that why and what to do are told once; then the figures. */
async function formatForTerminal(report: LintReport, limit: number, output: TextOutput): Promise<string> {
  const blocks = report.rules.map(({ rule, title }) =>
    formatRule(
      title,
      report.findings.filter((finding) => finding.rule === rule),
      limit,
    ),
  );
  const table = await formatTable(
    ['RULE', 'FINDINGS', 'TOOLS'],
    report.rules.map(({ rule, findings, tools }) => [rule, formatCount(findings), formatCount(tools)]),
    output,
  );
  const { error, warning, info } = report.levels;
  const total = `${plural(report.tools, 'tool')}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${formatCount(info)} of less weight\n`;
  return [...blocks, ...(table === '' ? [] : [table]), total].join('\n');
}

function formatRule(title: string, findings: readonly LintFinding[], limit: number): string {
  const [first] = findings;
  if (first === undefined) return '';
  const worstFirst = [...findings].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  const shown = limit === 0 ? worstFirst : worstFirst.slice(0, limit);
  const hidden = findings.length - shown.length;
  return [
    `${first.rule}: ${title}`,
    `  why: ${first.why}`,
    `  fix: ${first.fix}`,
    ...shown
      .map(({ level, name, field, message }) => singleLine(`${level} ${name} ${field}: ${message}`))
      .map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  … ${formatCount(hidden)} more (--limit 0 shows all)`] : []),
    '',
  ].join('\n');
}
