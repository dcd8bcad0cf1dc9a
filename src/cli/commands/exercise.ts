import { basename } from 'node:path';
import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { AuditEntry, ExerciseOutcome, ExercisePlan, ExerciseReport, Toolcrib } from '../../model/index.ts';
import { plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { singleLine } from '../output/plain-text.ts';
import { createProgress } from '../output/progress.ts';
import { listNewServers } from '../sync-servers.ts';
import { readTextFile } from '../text-file.ts';

interface ExerciseCommandOptions extends CommonOptions {
  yes?: boolean;
  sync: boolean;
}

const caseHelp = `
A case is an object: a line of JSON, or an item of a YAML list.
  id         default file and line
  kind       valid (default), invalid, unauthorised, repeated (twice under one idempotency key), interrupted
  tool       full name, server/tool, or an unambiguous bare name
  arguments  an object
  expect     outcomes that are right, as \`toolcrib log\` shows them; default by kind: ok, invalid_arguments,
             denied or not_authorized or approval_required, ok, cancelled
  contains   a text that the result holds
  caller     who calls, for the rules of the policy (default: exercise)
  afterMs    when an interrupted call is given up (default: 100)`;

/** `toolcrib exercise <cases...>`: execution tests for one's own servers. The calls are real. */
export function addExerciseCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('exercise')
    .description('call tools of your own servers by a list of cases, for real, and report from the record of calls')
    .argument('<cases...>', 'case files, .jsonl or .yaml')
    .option('--yes', 'call without asking first')
    .option('--no-sync', 'do not list servers that were never asked')
    .addHelpText('after', caseHelp);
  withCommonOptions(command, 'toolcrib exercise calls.yaml').action(
    async (files: string[], options: ExerciseCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runExercise(toolcrib, context.io, files, options));
    },
  );
}

async function runExercise(
  toolcrib: Toolcrib,
  io: CliIo,
  files: readonly string[],
  options: ExerciseCommandOptions,
): Promise<ExitCode> {
  const cases = files.map((path) => ({ name: basename(path), text: readTextFile(path) }));
  if (options.sync) await listNewServers(toolcrib, io);
  const progress = createProgress(io.stderr, 'calling');
  try {
    const report = await toolcrib.quality().exercise({
      cases,
      confirm: (plan) => {
        // It would draw over the question.
        if (options.yes !== true) progress.stop();
        return options.yes === true ? Promise.resolve(true) : askFirst(io, plan);
      },
      onProgress: (done, of) => progress.update(`calling: ${done} of ${of} cases done`),
      ...(io.signal === undefined ? {} : { signal: io.signal }),
    });
    progress.stop();
    if (options.json) writeJson(io.stdout, report);
    else io.stdout.write(io.stdout.isTTY ? formatForTerminal(report) : formatForPipe(report));
    return report.passed === report.cases ? ExitCode.ok : ExitCode.failed;
  } finally {
    progress.stop();
  }
}

async function askFirst(io: CliIo, { calls, tools }: ExercisePlan): Promise<boolean> {
  if (io.prompt === undefined) {
    throw new ToolcribError('terminal_required', 'exercise was run without a terminal and without --yes.', {
      next: 'Run it in a terminal, or with --yes where every call of the cases may be made.',
    });
  }
  io.stderr.write(tools.map((tool) => `  ${singleLine(tool.name)}: ${plural(tool.calls, 'call')}\n`).join(''));
  const answer = await io.prompt(`Make ${plural(calls, 'call')}, for real? [y/N] `, io.signal);
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** One line a call, with the verdict on its case. */
function formatForPipe({ outcomes }: ExerciseReport): string {
  return formatLines(
    outcomes.flatMap((outcome) =>
      outcome.rows.map((row) => [
        verdictOf(outcome),
        outcome.id,
        outcome.kind,
        outcome.tool,
        ...cellsOf(row),
        outcome.problem ?? '',
      ]),
    ),
  );
}

function formatForTerminal({ cases, passed, outcomes }: ExerciseReport): string {
  const blocks = outcomes.map((outcome) => {
    const rows = outcome.rows.map((row) => `    ${cellsOf(row).filter(Boolean).map(singleLine).join('  ')}\n`);
    const problem = outcome.problem === undefined ? '' : `    ${singleLine(outcome.problem)}\n`;
    return `${verdictOf(outcome)}  ${[outcome.id, outcome.kind, outcome.tool].map(singleLine).join('  ')}\n${problem}${rows.join('')}`;
  });
  return `${blocks.join('')}\n${passed} of ${plural(cases, 'case')} passed\n`;
}

function verdictOf({ passed }: ExerciseOutcome): string {
  return passed ? 'pass' : 'FAIL';
}

function cellsOf({
  time,
  caller = '',
  outcome = '',
  durationMs,
  rule = '',
  arguments: args = '',
}: AuditEntry): string[] {
  return [time, caller, outcome, durationMs === undefined ? '' : `${durationMs.toFixed(0)} ms`, rule, args];
}
