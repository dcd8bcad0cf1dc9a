import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { DefinitionReview, Toolcrib } from '../../model/index.ts';
import { plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatReview } from '../output/review.ts';

interface ApproveCommandOptions extends CommonOptions {
  yes?: boolean;
}

/** `toolcrib approve <tool|server>`: a person accepts a definition that they are shown. Never without a terminal. */
export function addApproveCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('approve')
    .description('look over and accept a definition that is held back; needs a terminal')
    .argument('<tool|server>', 'a tool, or a server for all of its tools that wait')
    .option('--yes', 'accept what is shown without being asked');
  withCommonOptions(command, 'toolcrib approve github__create_issue').action(
    async (target: string, options: ApproveCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runApprove(toolcrib, context.io, target, options));
    },
  );
}

async function runApprove(
  toolcrib: Toolcrib,
  io: CliIo,
  target: string,
  { yes, json }: ApproveCommandOptions,
): Promise<ExitCode> {
  const { prompt } = io;
  if (prompt === undefined) {
    throw new ToolcribError('terminal_required', `approve ${JSON.stringify(target)} was run without a terminal.`);
  }
  const waiting = toolcrib.review(target).filter(isHeld);
  if (waiting.length === 0) {
    if (json) writeJson(io.stdout, []);
    io.stderr.write(`Nothing of ${JSON.stringify(target)} waits for an approval.\n`);
    return ExitCode.nothingFound;
  }
  io.stderr.write(waiting.map((review) => formatReview(review, io.stderr)).join('\n'));
  const isAgreed =
    yes === true || isYes(await prompt(`Accept ${plural(waiting.length, 'definition')}? [y/N] `, io.signal));
  if (!isAgreed) {
    io.stderr.write('Nothing was accepted.\n');
    return ExitCode.failed;
  }
  const reports = waiting.map(({ server, tool, hash }) => toolcrib.approve({ server, tool }, hash));
  if (json) writeJson(io.stdout, reports);
  else for (const { name } of reports) io.stdout.write(`${name} is accepted.\n`);
  return ExitCode.ok;
}

function isHeld({ status }: DefinitionReview): boolean {
  return status === 'changed' || status === 'quarantined';
}

function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}
