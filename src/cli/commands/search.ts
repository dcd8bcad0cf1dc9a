import { type Command, Option } from 'commander';
import pico from 'picocolors';
import type { SearchArm, SearchDetail, SearchHit, SearchOptions, SearchResult, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { singleLine } from '../output/plain-text.ts';
import { listNewServers } from '../sync-servers.ts';

const hitsMax = 20;

interface SearchCommandOptions extends CommonOptions {
  server?: string;
  limit?: number;
  detail?: SearchDetail;
  arm?: SearchArm;
  explain?: boolean;
  cursor?: string;
  sync: boolean;
}

/** `toolcrib search <query>`: the tools that fit, best first. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .description('find tools by what they do')
    .argument('<query...>', 'what the tool should do, in plain words')
    .option('--server <id>', 'only tools of this server')
    .option('--limit <hits>', `hits, 1-${hitsMax} (default: 5)`, wholeNumber(1, hitsMax))
    .addOption(new Option('--detail <detail>', 'how much to show of each').choices(['name', 'summary', 'schema']))
    .addOption(new Option('--arm <arm>', 'which ranking').choices(['hybrid', 'lexical', 'embedding']))
    .option('--explain', 'show the parts of each score')
    .option('--cursor <cursor>', 'go on after an earlier answer')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib search "create an issue" --server github --limit 3').action(
    async (words: string[], options: SearchCommandOptions) => {
      const needsModel = options.arm !== 'lexical';
      await runWithToolcrib(context, { ...options, needsModel }, (toolcrib) =>
        runSearch(toolcrib, context.io, words.join(' '), options),
      );
    },
  );
}

async function runSearch(
  toolcrib: Toolcrib,
  io: CliIo,
  query: string,
  options: SearchCommandOptions,
): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const result = await toolcrib.search(query, searchOptions(options));
  if (options.json) writeJson(io.stdout, result);
  else {
    io.stdout.write(io.stdout.isTTY ? formatForTerminal(result, io.stdout) : formatForPipe(result));
    io.stderr.write(formatNotes(result, io.stderr));
  }
  return result.hits.length === 0 ? ExitCode.nothingFound : ExitCode.ok;
}

function searchOptions({ server, limit, detail, arm, explain, cursor }: SearchCommandOptions): SearchOptions {
  return {
    ...(server !== undefined && { server }),
    ...(limit !== undefined && { limit }),
    ...(detail !== undefined && { detail }),
    ...(arm !== undefined && { arm }),
    ...(explain !== undefined && { explain }),
    ...(cursor !== undefined && { cursor }),
  };
}

function formatForTerminal({ hits }: SearchResult, output: TextOutput): string {
  return hits.map((hit) => `${hitLines(hit, output).join('\n')}\n`).join('\n');
}

function hitLines(hit: SearchHit, output: TextOutput): string[] {
  const { bold, dim } = pico.createColors(output.color);
  const explained = Object.entries(hit.explain ?? {}).map(([part, value]) => `${part} ${formatScore(value)}`);
  return [
    `${bold(singleLine(hit.name))}  ${dim(formatScore(hit.score))}`,
    ...(hit.signature === '' ? [] : [`  ${singleLine(hit.signature)}`]),
    ...(hit.summary === '' ? [] : [`  ${dim(singleLine(hit.summary))}`]),
    ...(explained.length === 0 ? [] : [`  ${dim(singleLine(explained.join(' + ')))}`]),
    ...(hit.inputSchema === undefined ? [] : [`  ${singleLine(JSON.stringify(hit.inputSchema))}`]),
  ];
}

function formatForPipe({ hits }: SearchResult): string {
  const rows = hits.map((hit) => [
    hit.name,
    formatScore(hit.score),
    hit.signature,
    hit.summary,
    ...(hit.explain === undefined ? [] : [JSON.stringify(hit.explain)]),
    ...(hit.inputSchema === undefined ? [] : [JSON.stringify(hit.inputSchema)]),
  ]);
  return formatLines(rows);
}

function formatScore(score: number): string {
  return score.toFixed(3);
}

function formatNotes({ hits, notes, nextCursor }: SearchResult, output: TextOutput): string {
  const { yellow } = pico.createColors(output.color);
  const lines = notes.map(({ message }) => `${yellow('note:')} ${singleLine(message)}\n`);
  if (hits.length === 0 && lines.length === 0) lines.push('No tool fits.\n');
  if (nextCursor !== undefined) lines.push(`More with --cursor ${singleLine(nextCursor)}\n`);
  return lines.join('');
}
