import type { Command } from 'commander';
import type { Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatReview } from '../output/review.ts';

/** `toolcrib diff <tool>`: what its server lists now against what was accepted, or was there before. */
export function addDiffCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('diff')
    .description('show how the definition of a tool changed, field by field')
    .argument('<tool>', 'full name, or the bare one; a server shows all of its tools that wait');
  withCommonOptions(command, 'toolcrib diff github__create_issue').action(
    async (target: string, options: CommonOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runDiff(toolcrib, context.io, target, options));
    },
  );
}

async function runDiff(toolcrib: Toolcrib, io: CliIo, target: string, { json }: CommonOptions): Promise<ExitCode> {
  const reviews = toolcrib.review(target);
  if (json) writeJson(io.stdout, reviews);
  else io.stdout.write(reviews.map((review) => formatReview(review, io.stdout)).join('\n'));
  if (reviews.length === 0) io.stderr.write(`No tool of ${JSON.stringify(target)} waits for a person.\n`);
  return ExitCode.ok;
}
