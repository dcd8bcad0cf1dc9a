import type { Command } from 'commander';
import pico from 'picocolors';
import { plural } from '../../render/index.ts';
import type { Check } from '../../setup/index.ts';
import type { CommandContext } from '../command-context.ts';
import { type CommonOptions, openOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { formatDuration } from '../output/figures.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { singleLine } from '../output/plain-text.ts';
import { createProgress } from '../output/progress.ts';

/** `toolcrib doctor`: tries everything toolcrib stands on. Fails when something does not work. */
export function addDoctorCommand(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('doctor')
    .description('try each server, the model, the catalog and the hosts; say what is wrong and how to mend it');
  withCommonOptions(command, 'toolcrib doctor').action(async (options: CommonOptions) => {
    finish(await runDoctor(io, options));
  });
}

async function runDoctor(io: CliIo, options: CommonOptions): Promise<ExitCode> {
  const checks: Check[] = [];
  const progress = createProgress(io.stderr, 'starting the servers');
  try {
    await io.app.diagnose({ logLevel: 'error', ...openOptions(options) }, (check) => {
      checks.push(check);
      if (!options.json) io.stdout.write(formatCheck(check, io.stdout));
    });
  } finally {
    progress.stop();
  }
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (options.json) writeJson(io.stdout, { errors, warnings, checks });
  else io.stderr.write(`${plural(errors, 'error')}, ${plural(warnings, 'warning')}.\n`);
  return errors > 0 ? ExitCode.failed : ExitCode.ok;
}

const marks = { ok: '✓', warning: '!', error: '✗' };

function formatCheck(check: Check, output: TextOutput): string {
  const { area, subject, status, message, fix = '', durationMs } = check;
  if (!output.isTTY) return formatLines([[status, area, subject, message, String(Math.round(durationMs ?? 0)), fix]]);
  const colors = pico.createColors(output.color);
  const mark = { ok: colors.green, warning: colors.yellow, error: colors.red }[status](marks[status]);
  const time = durationMs === undefined ? '' : `, ${formatDuration(durationMs)}`;
  const head = `${mark} ${colors.dim(area)} ${colors.bold(singleLine(subject))}: ${singleLine(message)}${time}\n`;
  return fix === '' ? head : `${head}    ${singleLine(fix)}\n`;
}
