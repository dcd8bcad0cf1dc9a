import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { HostId, InstallReport } from '../../setup/index.ts';
import type { CommandContext } from '../command-context.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { showUnseen } from '../output/plain-text.ts';
import { ownConfigPath, type SetupOptions, withSetupOptions } from '../setup-options.ts';

interface InstallOptions extends SetupOptions {
  file?: string;
  drop?: boolean;
  restore?: boolean;
  keepChanges?: boolean;
}

/** As `hostIds` of `setup` has them, which is loaded only when a command needs it. */
const hosts: HostId[] = ['claude-code', 'claude-desktop', 'cursor', 'vscode'];
const fileHelp = "the host's config file (default: that of the project in the current folder, else that of the user)";

/** `toolcrib install <host>`: one entry in place of the host's servers. `uninstall`, or `--restore`, takes it back. */
export function addInstallCommand(program: Command, { io, finish }: CommandContext): void {
  const install = program
    .command('install')
    .description("replace a host's servers by one entry for toolcrib; can be undone")
    .addArgument(new Argument('<host>', 'the host').choices(hosts))
    .option('--file <file>', fileHelp)
    .option('--drop', "give up on servers that toolcrib's config does not have")
    .option('--restore', 'the same as uninstall');
  withSetupOptions(install, 'toolcrib install claude-code').action(async (host: HostId, options: InstallOptions) => {
    finish(options.restore ? await runUninstall(io, host, options) : await runInstall(io, host, options));
  });
  const uninstall = program
    .command('uninstall')
    .description("put a host's config back as it was before install, byte for byte")
    .addArgument(new Argument('<host>', 'the host').choices(hosts))
    .option('--file <file>', fileHelp)
    .option('--keep-changes', 'of a file that was changed since, put back the servers alone');
  withSetupOptions(uninstall, 'toolcrib uninstall claude-code').action(
    async (host: HostId, options: InstallOptions) => {
      finish(await runUninstall(io, host, options));
    },
  );
}

async function runInstall(io: CliIo, host: HostId, options: InstallOptions): Promise<ExitCode> {
  const { installFile, installHost, toolcribCommand } = await import('../../setup/index.ts');
  const places = io.places();
  const report = installHost(
    {
      file: installFile(host, options.file && resolve(places.currentFolder, options.file), places),
      configPath: ownConfigPath(options, places),
      program: toolcribCommand(io.program),
      ...(options.drop === undefined ? {} : { mayDrop: options.drop }),
    },
    places,
  );
  if (options.json) writeJson(io.stdout, report);
  else io.stdout.write(inWords(report, options));
  return ExitCode.ok;
}

function inWords(report: InstallReport, { file }: InstallOptions): string {
  const { path, host, replaced, config, backup, nameMaxLength } = report;
  const place = replaced.length === 0 ? '' : ` in place of ${showUnseen(replaced.join(', '))}`;
  return [
    `${path} now starts toolcrib with ${config}${place}.`,
    ...(nameMaxLength === undefined
      ? []
      : [`Names of tools are cut at ${nameMaxLength} characters: this host puts more before them.`]),
    ...(backup === undefined ? [] : [`Backup: ${backup}`]),
    `Put back with: toolcrib uninstall ${host}${file === undefined ? '' : ` --file ${path}`}`,
    '',
  ].join('\n');
}

async function runUninstall(io: CliIo, host: HostId, options: InstallOptions): Promise<ExitCode> {
  const { installFile, uninstallHost } = await import('../../setup/index.ts');
  const places = io.places();
  const file = installFile(host, options.file && resolve(places.currentFolder, options.file), places);
  const { path } = withAdvice(() => uninstallHost(file, options.keepChanges === true, places), host, options.file);
  if (options.json) writeJson(io.stdout, { path, restored: true });
  else
    io.stdout.write(`${path} is as it was before${options.keepChanges ? ', but for what was changed since' : ''}.\n`);
  return ExitCode.ok;
}

function withAdvice<Result>(work: () => Result, host: HostId, file: string | undefined): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ToolcribError) || error.code !== 'file_changed') throw error;
    const backup = error.details.backup === undefined ? '' : ` Its former content is ${error.details.backup}.`;
    throw new ToolcribError('file_changed', `${error.message}${backup}`, {
      next: `Put back the servers alone, and keep what was changed: toolcrib uninstall ${host}${file === undefined ? '' : ` --file ${file}`} --keep-changes.`,
      details: error.details,
    });
  }
}
