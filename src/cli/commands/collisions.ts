import type { Command } from 'commander';
import pico from 'picocolors';
import type { CollidingTool, Collision, CollisionOptions, CollisionReport, Toolcrib } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { singleLine } from '../output/plain-text.ts';
import { listNewServers } from '../sync-servers.ts';
import { writeTextFile } from '../text-file.ts';

interface CollisionsCommandOptions extends CommonOptions {
  limit: number;
  tasks?: string;
  sync: boolean;
}

/** `toolcrib collisions [server]`: tools that are taken for one another, closest first, and the words that tell them apart. */
export function addCollisionsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('collisions')
    .description(
      'find tools that a model may take for one another, and the words that tell them apart; nothing is called',
    )
    .argument('[server]', 'only pairs with a tool of this server')
    .option('--limit <count>', 'pairs to show', wholeNumber(1, 100_000), 20)
    .option(
      '--tasks <file>',
      'write boundary tasks to fill in (.yaml or .jsonl), and beside it a prompt for a model to write the set',
    )
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib collisions github --limit 10').action(
    async (server: string | undefined, options: CollisionsCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runCollisions(toolcrib, context.io, server, options));
    },
  );
}

async function runCollisions(
  toolcrib: Toolcrib,
  io: CliIo,
  server: string | undefined,
  options: CollisionsCommandOptions,
): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const wanted = { limit: options.limit, ...(server === undefined ? {} : { server }) };
  const report = await toolcrib.quality().collisions(wanted);
  if (options.tasks !== undefined) await writeTasks(toolcrib, io, wanted, options.tasks);
  if (options.json) writeJson(io.stdout, report);
  else io.stdout.write(io.stdout.isTTY ? formatForTerminal(report, io.stdout) : formatForPipe(report));
  return ExitCode.ok;
}

async function writeTasks(toolcrib: Toolcrib, io: CliIo, wanted: CollisionOptions, file: string): Promise<void> {
  const format = file.endsWith('.jsonl') ? 'jsonl' : 'yaml';
  const { cases, prompt } = await toolcrib.quality().draftTasks({ ...wanted, format });
  const promptFile = `${file}.prompt.md`;
  writeTextFile(file, cases);
  writeTextFile(promptFile, prompt);
  io.stderr.write(
    `Tasks to fill in are in ${file}, the prompt that lets a model write the whole set in ${promptFile}.\n`,
  );
}

function formatForPipe({ collisions }: CollisionReport): string {
  return formatLines(
    collisions.map(({ score, tools: [a, b] }) => [score.toFixed(3), a.name, b.name, wordsOf(a), wordsOf(b)]),
  );
}

function formatForTerminal(report: CollisionReport, output: TextOutput): string {
  const { dim } = pico.createColors(output.color);
  const blocks = report.collisions.map((collision) => `${formatCollision(collision, output)}\n`);
  const shown = report.found > report.collisions.length ? `, ${formatCount(report.collisions.length)} shown` : '';
  const total = `${plural(report.found, 'close pair')}${shown}; ${plural(report.tools, 'tool')}, ${formatCount(report.compared)} of ${plural(report.pairs, 'pair')} looked at`;
  const missing = Math.round((1 - report.vectorShare) * 100);
  const note = missing > 0 ? `${missing} % of the tools have no vector yet: pairs of other words are missed.\n` : '';
  return [...blocks, dim(`${total}\n`), note].join('');
}

function formatCollision({ score, parts, tools: [a, b] }: Collision, output: TextOutput): string {
  const { bold, dim } = pico.createColors(output.color);
  const figures = Object.entries(parts).map(([part, value]) => `${part} ${value.toFixed(2)}`);
  const lines = [a, b].flatMap((tool) => [
    `  ${bold(singleLine(tool.name))}  ${dim(singleLine(tool.summary))}`,
    `    apart: ${wordsOf(tool)}`,
  ]);
  return [`${score.toFixed(2)}  ${dim(figures.join(', '))}`, ...lines, ''].join('\n');
}

function wordsOf({ apart }: CollidingTool): string {
  return apart.length === 0 ? 'none' : singleLine(apart.join(', '));
}
