import type { Command } from 'commander';
import type { Stats, Toolcrib } from '../../model/index.ts';
import { formatCount } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { formatTable } from '../output/table.ts';
import { listNewServers } from '../sync-servers.ts';

interface StatsCommandOptions extends CommonOptions {
  sync: boolean;
}

/** `toolcrib stats`: what the tools would cost a model, what they cost through toolcrib, and which mode follows. */
export function addStatsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('stats')
    .description('count tools and tokens, and say which mode is used and why')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib stats --json').action(async (options: StatsCommandOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runStats(toolcrib, context.io, options));
  });
}

async function runStats(toolcrib: Toolcrib, io: CliIo, options: StatsCommandOptions): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const stats = await toolcrib.stats();
  if (options.json) writeJson(io.stdout, stats);
  else io.stdout.write(io.stdout.isTTY ? await formatForTerminal(stats, io.stdout) : formatForPipe(stats));
  return ExitCode.ok;
}

async function formatForTerminal(stats: Stats, output: TextOutput): Promise<string> {
  const figures = [
    ['servers', formatCount(stats.servers)],
    ['tools', formatCount(stats.tools)],
    ['all definitions', `${formatCount(stats.definitionTokens)} tokens (${stats.tokenizer})`],
    ['meta-tools', `${formatCount(stats.metaToolTokens)} tokens`],
    ['saved', `${stats.savedPercent.toFixed(1)} %`],
    ['pays up to', `${formatCount(stats.breakEvenSearches)} searches a conversation`],
    ['mode', `${stats.mode}: ${stats.modeReason}`],
    ...(stats.nextMode === undefined ? [] : [['mode at next start', stats.nextMode]]),
  ];
  const perServer = stats.perServer.map(({ server, tools, definitionTokens }) => [
    server,
    formatCount(tools),
    formatCount(definitionTokens),
  ]);
  const tables = [
    await formatTable(['FIGURE', 'VALUE'], figures, output),
    await formatTable(['SERVER', 'TOOLS', 'TOKENS'], perServer, output),
  ];
  return tables.join('\n');
}

/** One line a figure, named as in the JSON; one line a server. */
function formatForPipe({ perServer, ...figures }: Stats): string {
  const rows = [
    ...Object.entries(figures).map(([name, value]) => [name, String(value)]),
    ...perServer.map(({ server, tools, definitionTokens }) => ['server', server, `${tools}`, `${definitionTokens}`]),
  ];
  return formatLines(rows);
}
