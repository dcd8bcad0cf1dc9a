import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addApprovalsCommand } from './commands/approvals.ts';
import { addApproveCommand } from './commands/approve.ts';
import { addCallCommand } from './commands/call.ts';
import { addCollisionsCommand } from './commands/collisions.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConsoleCommand } from './commands/console.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDescribeCommand } from './commands/describe.ts';
import { addDiffCommand } from './commands/diff.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEvalCommand } from './commands/eval.ts';
import { addExerciseCommand } from './commands/exercise.ts';
import { addExportCommand } from './commands/export.ts';
import { addHistoryCommand } from './commands/history.ts';
import { addImportCommand } from './commands/import.ts';
import { addInitCommand } from './commands/init.ts';
import { addInstallCommand } from './commands/install.ts';
import { addLintCommand } from './commands/lint.ts';
import { addListCommand } from './commands/list.ts';
import { addLockCommand } from './commands/lock.ts';
import { addLogCommand } from './commands/log.ts';
import { addLoginCommand } from './commands/login.ts';
import { addLogoutCommand } from './commands/logout.ts';
import { addPolicyCommand } from './commands/policy.ts';
import { addSearchCommand } from './commands/search.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStatsCommand } from './commands/stats.ts';
import { addSyncCommand } from './commands/sync.ts';
import { addTokenCommand } from './commands/token.ts';
import { ExitCode } from './exit-code.ts';
import type { CliIo } from './io.ts';
import { reportError } from './report-error.ts';

/**
 * Runs one command line (without the program's own name) and returns its exit code. Never throws: every error is told on
 * stderr.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.ok;
  const context: CommandContext = {
    io,
    finish: (code) => {
      exitCode = code;
    },
  };
  try {
    await createProgram(context).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    return reportError(error, io.stderr, wantsJson(argv));
  }
}

/** The whole tree of commands, ready to be run or read. */
export function createProgram(context: CommandContext): Command {
  const { io } = context;
  const program = new Command('toolcrib')
    .description('Every tool of every MCP server in one searchable catalog.')
    .version(io.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
      getOutHasColors: () => io.stdout.color,
      getErrHasColors: () => io.stderr.color,
    })
    .addHelpText('after', '\nExample:\n  $ toolcrib search "create an issue" --config .mcp.json');
  addDemoCommand(program, context);
  addInitCommand(program, context);
  addImportCommand(program, context);
  addInstallCommand(program, context);
  addDoctorCommand(program, context);
  addServeCommand(program, context);
  addSyncCommand(program, context);
  addSearchCommand(program, context);
  addDescribeCommand(program, context);
  addCallCommand(program, context);
  addListCommand(program, context);
  addStatsCommand(program, context);
  addLintCommand(program, context);
  addCollisionsCommand(program, context);
  addEvalCommand(program, context);
  addExerciseCommand(program, context);
  addExportCommand(program, context);
  addConsoleCommand(program, context);
  addDiffCommand(program, context);
  addHistoryCommand(program, context);
  addApproveCommand(program, context);
  addLockCommand(program, context);
  addLogCommand(program, context);
  addPolicyCommand(program, context);
  addApprovalsCommand(program, context);
  addTokenCommand(program, context);
  addLoginCommand(program, context);
  addLogoutCommand(program, context);
  addCompletionCommand(program, context);
  return program;
}

/** Help that was asked for, the version, or help in place of a missing command. */
function isHelp({ code }: CommanderError): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);
}

/** Known before the command line is understood, since that may be what fails. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}
