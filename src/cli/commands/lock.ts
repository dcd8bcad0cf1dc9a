import type { Command } from 'commander';
import type { Toolcrib } from '../../model/index.ts';
import { plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { defaultLockFile, writeLock } from '../lock-file.ts';
import { writeJson } from '../output/json.ts';
import { listNewServers } from '../sync-servers.ts';

interface LockCommandOptions extends CommonOptions {
  lockFile: string;
  sync: boolean;
}

/** `toolcrib lock`: writes the accepted definitions down as hashes, for `sync --locked`. */
export function addLockCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('lock')
    .description('write the hashes of all definitions to a file that `sync --locked` compares with')
    .option('--lock-file <file>', 'the file to write', defaultLockFile)
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib lock --config .mcp.json').action(async (options: LockCommandOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runLock(toolcrib, context.io, options));
  });
}

async function runLock(toolcrib: Toolcrib, io: CliIo, options: LockCommandOptions): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const lock = toolcrib.lock();
  writeLock(options.lockFile, lock);
  const tools = Object.values(lock.servers).reduce((sum, names) => sum + Object.keys(names).length, 0);
  const report = { path: options.lockFile, servers: Object.keys(lock.servers).length, tools };
  if (options.json) writeJson(io.stdout, report);
  else io.stdout.write(`${report.path}: ${plural(tools, 'tool')} of ${plural(report.servers, 'server')}.\n`);
  return ExitCode.ok;
}
