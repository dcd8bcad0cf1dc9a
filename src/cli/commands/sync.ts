import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { LockDifference, SyncReport, Toolcrib, ToolListing } from '../../model/index.ts';
import { plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { defaultLockFile, readLock } from '../lock-file.ts';
import { formatDuration } from '../output/figures.ts';
import { writeJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import { syncServers } from '../sync-servers.ts';

interface SyncCommandOptions extends CommonOptions {
  locked?: boolean;
  lockFile: string;
}

/**
 * `toolcrib sync [server…]`: lists servers anew and waits until all is indexed. Fails when any server failed, and with
 * `--locked` when one lists other definitions than those locked.
 */
export function addSyncCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('sync')
    .description('connect to servers and bring the catalog up to date')
    .argument('[server...]', 'ids of servers (default: all enabled ones)')
    .option('--locked', 'fail when a definition is not the one in the lock file')
    .option('--lock-file <file>', 'the lock file', defaultLockFile);
  withCommonOptions(command, 'toolcrib sync github --config .mcp.json').action(
    async (serverIds: string[], options: SyncCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runSync(toolcrib, context.io, serverIds, options));
    },
  );
}

async function runSync(
  toolcrib: Toolcrib,
  io: CliIo,
  serverIds: readonly string[],
  options: SyncCommandOptions,
): Promise<ExitCode> {
  // Read first: a lock that cannot be used is told before any server is started.
  const lock = options.locked ? readLock(options.lockFile) : undefined;
  const reports = await syncServers(toolcrib, io, serverIds.length === 0 ? undefined : serverIds);
  if (options.json) writeJson(io.stdout, reports);
  else io.stdout.write(await formatReports(reports, io));
  if (reports.length === 0) io.stderr.write('The config names no server.\n');
  const waiting = toolcrib.listTools({ problemsOnly: true }).filter(isHeld).length;
  if (waiting > 0)
    io.stderr.write(`Held back until you look: ${plural(waiting, 'tool')}. See \`toolcrib list tools --problems\`.\n`);
  if (lock !== undefined) {
    const differences = toolcrib.compareLock(lock, serverIds.length === 0 ? undefined : serverIds);
    if (differences.length > 0) throw lockDiffers(options.lockFile, differences);
  }
  return reports.some(({ state }) => state === 'failed') ? ExitCode.failed : ExitCode.ok;
}

function isHeld({ status }: ToolListing): boolean {
  return status === 'changed' || status === 'quarantined';
}

function lockDiffers(path: string, differences: readonly LockDifference[]): ToolcribError {
  const lines = differences.map(
    ({ server, tool, kind }) => `  ${server} ${JSON.stringify(tool)}: ${kindInWords[kind]}`,
  );
  const message = [`${path} and the servers differ in ${plural(differences.length, 'tool')}:`, ...lines].join('\n');
  return new ToolcribError('lock_differs', message, { details: { differences } });
}

const kindInWords = {
  added: 'not in the lock',
  removed: 'not listed any more',
  definition_changed: 'another definition',
  annotations_changed: 'other annotations',
} as const satisfies Record<LockDifference['kind'], string>;

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
