import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import { plural } from '../../render/index.ts';
import type { HostConfig, ImportCandidate, ImportPlan } from '../../setup/index.ts';
import type { CommandContext } from '../command-context.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { showUnseen } from '../output/plain-text.ts';
import { ownConfigPath, type SetupOptions, withSetupOptions } from '../setup-options.ts';

interface ImportOptions extends SetupOptions {
  yes?: boolean;
  replace?: boolean;
  restore?: boolean;
}

/** `toolcrib import [file]`: takes over the servers of a host, each shown before it is adopted. */
export function addImportCommand(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('import')
    .description("take over a host's servers into toolcrib's config; shows each command and asks")
    .argument(
      '[file]',
      "config file of a host (default: those of all hosts on this machine, the current folder's first)",
    )
    .option('--yes', 'adopt every server that can be; needed without a terminal')
    .option('--replace', 'adopt also what differs from a server of the same id in the config')
    .option('--restore', 'put the config back as it was before the last import');
  withSetupOptions(command, 'toolcrib import .mcp.json').action(
    async (file: string | undefined, options: ImportOptions) => {
      finish(options.restore ? await runRestore(io, options) : await runImport(io, file, options));
    },
  );
}

async function runRestore(io: CliIo, options: ImportOptions): Promise<ExitCode> {
  const { restoreFile } = await import('../../setup/index.ts');
  const places = io.places();
  const { path } = restoreFile(ownConfigPath(options, places), places);
  if (options.json) writeJson(io.stdout, { config: path, restored: true });
  else io.stdout.write(`${path} is as it was before.\n`);
  return ExitCode.ok;
}

async function runImport(io: CliIo, file: string | undefined, options: ImportOptions): Promise<ExitCode> {
  const { planImport, applyImport } = await import('../../setup/index.ts');
  const places = io.places();
  const sources = await sourcesOf(io, file);
  const plan = planImport(sources, ownConfigPath(options, places), places);
  if (plan.candidates.length === 0) {
    io.stderr.write(`${file ?? 'No config of a host on this machine'} names no server to import.\n`);
    return ExitCode.nothingFound;
  }
  const wanted = plan.candidates.filter((one) => isWanted(one, options));
  io.stderr.write(plan.candidates.map((one) => formatCandidate(one, options)).join(''));
  const chosen = await choose(io, wanted, options);
  const change = chosen.length === 0 ? undefined : applyImport(plan, chosen, places);
  report(io, { plan, chosen, backup: change?.backup }, options);
  return chosen.length === 0 && wanted.length > 0 ? ExitCode.failed : ExitCode.ok;
}

async function sourcesOf(io: CliIo, file: string | undefined): Promise<HostConfig[]> {
  const { findHostConfigs, hostFileAt, readHostConfig } = await import('../../setup/index.ts');
  const places = io.places();
  if (file === undefined) return findHostConfigs(places);
  const path = resolve(places.currentFolder, file);
  const config = readHostConfig(hostFileAt(path, places), places);
  if (config !== undefined) return [config];
  throw new ToolcribError('host_file_unusable', `There is no file ${path}.`, { next: 'Check the path.' });
}

function isWanted({ status }: ImportCandidate, { replace }: ImportOptions): boolean {
  return status === 'new' || (status === 'taken' && replace === true);
}

const marks = { new: '+', same: '=', taken: '!', unusable: '!' };

function formatCandidate(candidate: ImportCandidate, options: ImportOptions): string {
  const { id, status, command, sets, notes, problem, from } = candidate;
  const remarks = [
    `from ${from}`,
    ...(sets.length === 0 ? [] : [`sets ${sets.join(', ')}`]),
    ...notes,
    ...(status === 'same' ? ['in the config already'] : []),
    ...(status === 'taken' && !options.replace
      ? ['another server has this id in the config; --replace takes this one']
      : []),
    ...(problem === undefined ? [] : [`not imported: ${problem}`]),
  ];
  const lines = [`${marks[status]} ${id}: ${command}`, ...remarks.map((remark) => `    ${remark}`)];
  return lines.map((line) => `${showUnseen(line)}\n`).join('');
}

/** One by one, unless the user says that all are wanted. */
async function choose(io: CliIo, wanted: ImportCandidate[], options: ImportOptions): Promise<ImportCandidate[]> {
  if (options.yes || wanted.length === 0) return wanted;
  const { prompt, signal } = io;
  if (prompt === undefined) {
    throw new ToolcribError('terminal_required', 'A person has to look at these commands before they are adopted.', {
      next: 'Read them, and run the command again with --yes.',
    });
  }
  const chosen: ImportCandidate[] = [];
  for (const [index, candidate] of wanted.entries()) {
    const answer = (await prompt(`Adopt ${showUnseen(candidate.id)}? [y]es, [n]o, [a]ll, [q]uit: `, signal)) ?? 'q';
    if (/^\s*a/i.test(answer)) return [...chosen, ...wanted.slice(index)];
    if (/^\s*q/i.test(answer)) return [];
    if (/^\s*y/i.test(answer)) chosen.push(candidate);
  }
  return chosen;
}

interface Done {
  plan: ImportPlan;
  chosen: ImportCandidate[];
  backup: string | undefined;
}

function report({ stdout }: CliIo, { plan, chosen, backup }: Done, { json }: ImportOptions): void {
  const { path } = plan.config;
  if (json) {
    const servers = plan.candidates.map((candidate) => {
      const { id, from, status, notes, problem } = candidate;
      const imported = chosen.includes(candidate);
      return { id, from, status, imported, notes, ...(problem === undefined ? {} : { problem }) };
    });
    writeJson(stdout, { config: path, ...(backup === undefined ? {} : { backup }), servers });
    return;
  }
  stdout.write(`${path}: ${plural(chosen.length, 'server')} imported.\n`);
  if (chosen.length === 0) return;
  if (backup !== undefined) stdout.write(`Backup: ${backup}; put back with: toolcrib import --restore\n`);
  stdout.write('Next: toolcrib install HOST puts toolcrib in their place; toolcrib doctor tries them.\n');
}
