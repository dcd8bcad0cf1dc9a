import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { singleLine } from '../output/plain-text.ts';
import { ownConfigPath, type SetupOptions, withSetupOptions } from '../setup-options.ts';

/** `toolcrib init`: a commented config to start from, and the configs of hosts that are there to be imported. */
export function addInitCommand(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('init')
    .description('write a commented config, and show which hosts on this machine have servers to import');
  withSetupOptions(command, 'toolcrib init').action(async (options: SetupOptions) => {
    finish(await runInit(io, options));
  });
}

async function runInit(io: CliIo, options: SetupOptions): Promise<ExitCode> {
  const { createConfig, findHostConfigs, isToolcribEntry, profileOf } = await import('../../setup/index.ts');
  const places = io.places();
  const config = ownConfigPath(options, places);
  const created = createConfig(config, places);
  const hosts = findHostConfigs(places).map(({ file, servers }) => ({
    path: file.path,
    host: file.host === undefined ? file.path : profileOf(file.host).title,
    servers: servers.filter((server) => !isToolcribEntry(server)).map(({ id }) => id),
  }));
  if (options.json) {
    writeJson(io.stdout, { config, created, hosts });
    return ExitCode.ok;
  }
  io.stdout.write(created ? `${config} was written.\n` : `${config} is there already; nothing was written.\n`);
  for (const { path, host, servers } of hosts) {
    io.stdout.write(`${singleLine(`${host} has ${servers.join(', ')}`)}: toolcrib import ${path}\n`);
  }
  return ExitCode.ok;
}
