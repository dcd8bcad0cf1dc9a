import type { Command } from 'commander';
import type { Toolcrib, VersionListing } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { shortHash } from '../output/review.ts';
import { formatTable } from '../output/table.ts';

/** `toolcrib history <tool>`: the versions of its definition, newest first. */
export function addHistoryCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('history')
    .description('list the versions of a definition, newest first')
    .argument('<tool>', 'full name, or the bare one where only one server has it');
  withCommonOptions(command, 'toolcrib history github__create_issue').action(
    async (name: string, options: CommonOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runHistory(toolcrib, context.io, name, options));
    },
  );
}

async function runHistory(toolcrib: Toolcrib, io: CliIo, name: string, { json }: CommonOptions): Promise<ExitCode> {
  const versions = toolcrib.history(name);
  if (json) writeJson(io.stdout, versions);
  else io.stdout.write(await formatVersions(versions, io.stdout));
  return ExitCode.ok;
}

function formatVersions(versions: readonly VersionListing[], output: TextOutput): Promise<string> {
  const headers = ['FIRST SEEN', 'REPLACED', 'HASH', 'ACCEPTED', 'TIMES'];
  const rows = versions.map(({ firstSeenAt, replacedAt = '', hash, accepted, timesSeen }) => [
    firstSeenAt,
    replacedAt || (output.isTTY ? 'in force' : ''),
    output.isTTY ? shortHash(hash) : hash,
    accepted,
    String(timesSeen),
  ]);
  return formatTable(headers, rows, output);
}
