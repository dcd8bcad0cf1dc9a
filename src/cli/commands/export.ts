import { type Command, Option } from 'commander';
import type { ExportOptions, ModelView, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { printable } from '../output/plain-text.ts';
import { viewMarkdown } from '../output/view-markdown.ts';
import { listNewServers } from '../sync-servers.ts';
import { writeTextFile } from '../text-file.ts';

interface ExportCommandOptions extends CommonOptions {
  mode?: ModelView['mode'];
  describe?: boolean;
  out?: string;
  sync: boolean;
}

/** `toolcrib export [server]`: what a model sees, byte for byte. */
export function addExportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .description('write what a model sees, exactly: every tool, or the meta-tools; as Markdown or JSON')
    .argument('[server]', 'in direct mode, only tools of this server')
    .addOption(new Option('--mode <mode>', 'default: the mode in force').choices(['direct', 'discovery']))
    .option('--describe', 'add what describe_tool answers about each tool')
    .option('--out <file>', 'write to a file')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib export --mode direct --json --out tools.json').action(
    async (server: string | undefined, options: ExportCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runExport(toolcrib, context.io, server, options));
    },
  );
}

async function runExport(
  toolcrib: Toolcrib,
  io: CliIo,
  server: string | undefined,
  { mode, describe, out, json, sync }: ExportCommandOptions,
): Promise<ExitCode> {
  if (sync) await listNewServers(toolcrib, io);
  const options: ExportOptions = {
    ...(mode === undefined ? {} : { mode }),
    ...(server === undefined ? {} : { server }),
    ...(describe === undefined ? {} : { describe }),
  };
  const view = await toolcrib.quality().exportView(options);
  if (out !== undefined) writeTextFile(out, json ? `${JSON.stringify(view, null, 2)}\n` : viewMarkdown(view));
  else if (json) writeJson(io.stdout, view);
  else io.stdout.write(printable(viewMarkdown(view)));
  return ExitCode.ok;
}
