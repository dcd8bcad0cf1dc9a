import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { Toolcrib } from '../../model/index.ts';
import { compareCatalogs } from '../catalog-difference.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatReview } from '../output/review.ts';
import { formatViewDifference } from '../output/view-difference.ts';

interface DiffOptions extends CommonOptions {
  catalogs?: string[];
}

/**
 * `toolcrib diff <tool>`: what its server lists now against what was accepted, or was there before. `diff --catalogs A B`: what a model
 * sees differently in two catalogs.
 */
export function addDiffCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('diff')
    .description('show how the definition of a tool changed, field by field; or what differs between two catalogs')
    .argument('[tool]', 'full name, or the bare one; a server shows all of its tools that wait')
    .option('--catalogs <files...>', 'two catalog files, or what `export --mode direct --json` wrote of them');
  withCommonOptions(command, 'toolcrib diff github__create_issue').action(
    async (target: string | undefined, options: DiffOptions) => {
      const { catalogs } = options;
      if (catalogs !== undefined) return context.finish(await runCompare(context.io, target, catalogs, options));
      if (target === undefined) throw usage('diff needs a tool, or --catalogs with two files.');
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

async function runCompare(
  io: CliIo,
  target: string | undefined,
  files: readonly string[],
  options: DiffOptions,
): Promise<ExitCode> {
  const [before, after, ...more] = files;
  if (before === undefined || after === undefined || more.length > 0 || target !== undefined) {
    throw usage('--catalogs takes two files, and no tool beside them.');
  }
  const difference = await compareCatalogs(io, before, after, options);
  if (options.json) writeJson(io.stdout, difference);
  else io.stdout.write(formatViewDifference(difference, io.stdout));
  return ExitCode.ok;
}

function usage(message: string): ToolcribError {
  return new ToolcribError('usage_invalid', message);
}
