import type { Command } from 'commander';
import type { Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { printable } from '../output/plain-text.ts';
import { listNewServers } from '../sync-servers.ts';

interface DescribeCommandOptions extends CommonOptions {
  path?: string;
  sync: boolean;
}

/** `toolcrib describe <tool>`: the definition of one tool. */
export function addDescribeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('describe')
    .description('show the definition of a tool')
    .argument('<tool>', 'full name, or the bare one where only one server has it')
    .option('--path <pointer>', 'only this part of the input schema (JSON Pointer, as in /properties/filter)')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib describe github__create_issue').action(
    async (name: string, options: DescribeCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runDescribe(toolcrib, context.io, name, options));
    },
  );
}

async function runDescribe(
  toolcrib: Toolcrib,
  io: CliIo,
  name: string,
  options: DescribeCommandOptions,
): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const { text, ...description } = toolcrib.describe(name, options.path === undefined ? {} : { path: options.path });
  if (options.json) writeJson(io.stdout, description);
  else io.stdout.write(`${printable(text).trimEnd()}\n`);
  return ExitCode.ok;
}
