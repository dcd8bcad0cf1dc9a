import type { Command } from 'commander';
import type { SyncReport, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { formatDuration } from '../output/figures.ts';
import { writeJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import { syncServers } from '../sync-servers.ts';

/** `toolcrib sync [server…]`: lists servers anew and waits until all is indexed. Fails when any server failed. */
export function addSyncCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('sync')
    .description('connect to servers and bring the catalog up to date')
    .argument('[server...]', 'ids of servers (default: all enabled ones)');
  withCommonOptions(command, 'toolcrib sync github --config .mcp.json').action(
    async (serverIds: string[], options: CommonOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runSync(toolcrib, context.io, serverIds, options));
    },
  );
}

async function runSync(
  toolcrib: Toolcrib,
  io: CliIo,
  serverIds: readonly string[],
  options: CommonOptions,
): Promise<ExitCode> {
  const reports = await syncServers(toolcrib, io, serverIds.length === 0 ? undefined : serverIds);
  if (options.json) writeJson(io.stdout, reports);
  else io.stdout.write(await formatReports(reports, io));
  if (reports.length === 0) io.stderr.write('The config names no server.\n');
  return reports.some(({ state }) => state === 'failed') ? ExitCode.failed : ExitCode.ok;
}

function formatReports(reports: readonly SyncReport[], { stdout }: CliIo): Promise<string> {
  const headers = ['SERVER', 'STATE', 'TOOLS', 'ADDED', 'CHANGED', 'REMOVED', 'TIME', 'ERROR'];
  const rows = reports.map((report) => [
    report.server,
    report.state,
    ...[report.tools, report.added, report.changed, report.removed].map(String),
    stdout.isTTY ? formatDuration(report.durationMs) : String(Math.round(report.durationMs)),
    report.error ?? '',
  ]);
  return formatTable(headers, rows, stdout);
}
