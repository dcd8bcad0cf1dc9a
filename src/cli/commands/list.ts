import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { ServerListing, Toolcrib, ToolListing } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import { listNewServers } from '../sync-servers.ts';

interface ListToolsOptions extends CommonOptions {
  server?: string;
  problems?: boolean;
  sync: boolean;
}

interface ListServersOptions extends CommonOptions {
  problems?: boolean;
}

/** `toolcrib list servers` and `toolcrib list tools`: what is there, and what is wrong with it. */
export function addListCommand(program: Command, context: CommandContext): void {
  const list = program.command('list').description('list servers or tools');
  const servers = list
    .command('servers')
    .description('list the configured servers')
    .option('--problems', 'only servers with a problem');
  withCommonOptions(servers, 'toolcrib list servers --config .mcp.json').action(async (options: ListServersOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runListServers(toolcrib, context.io, options));
  });
  const tools = list
    .command('tools')
    .description('list the tools of all servers')
    .option('--server <id>', 'only tools of this server')
    .option('--problems', 'only tools that were repaired, set aside, held back, or in which the scan found something')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(tools, 'toolcrib list tools --problems').action(async (options: ListToolsOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runListTools(toolcrib, context.io, options));
  });
}

async function runListServers(toolcrib: Toolcrib, io: CliIo, options: ListServersOptions): Promise<ExitCode> {
  const servers = toolcrib.listServers().filter(({ problem }) => !options.problems || problem !== undefined);
  if (options.json) writeJson(io.stdout, servers);
  else io.stdout.write(await formatServers(servers, io.stdout));
  return ExitCode.ok;
}

function formatServers(servers: readonly ServerListing[], output: TextOutput): Promise<string> {
  const headers = ['SERVER', 'STATE', 'TOOLS', 'LISTED', 'ERA', 'PROBLEM'];
  const rows = servers.map((server) => [
    server.server,
    server.state,
    String(server.tools),
    formatListed(server, output),
    server.era ?? '',
    server.problem ?? '',
  ]);
  return formatTable(headers, rows, output);
}

/** People get minutes, programs the exact time. */
function formatListed({ listedAt, stale }: ServerListing, output: TextOutput): string {
  if (listedAt === undefined) return output.isTTY ? 'never' : '';
  if (!output.isTTY) return listedAt;
  return `${listedAt.slice(0, 16).replace('T', ' ')} UTC${stale ? ' (stale)' : ''}`;
}

async function runListTools(toolcrib: Toolcrib, io: CliIo, options: ListToolsOptions): Promise<ExitCode> {
  const { server } = options;
  if (server !== undefined) checkServer(toolcrib, server);
  if (options.sync) await listNewServers(toolcrib, io);
  const tools = toolcrib.listTools({
    ...(server !== undefined && { server }),
    ...(options.problems !== undefined && { problemsOnly: options.problems }),
  });
  if (options.json) writeJson(io.stdout, tools);
  else io.stdout.write(await formatTools(tools, io.stdout));
  return ExitCode.ok;
}

function checkServer(toolcrib: Toolcrib, server: string): void {
  const ids = toolcrib.listServers().map((listing) => listing.server);
  if (ids.includes(server)) return;
  const known = ids.length === 0 ? 'There are none.' : `There are ${ids.join(', ')}.`;
  throw new ToolcribError('server_unknown', `There is no server ${JSON.stringify(server)}. ${known}`);
}

function formatTools(tools: readonly ToolListing[], output: TextOutput): Promise<string> {
  const headers = ['NAME', 'SERVER', 'STATUS', 'PROBLEM'];
  const rows = tools.map((tool) => [tool.name, tool.server, tool.status, reasonsOf(tool)]);
  return formatTable(headers, rows, output);
}

/** The problem, then what the scan found besides. */
function reasonsOf({ problem, findings = [] }: ToolListing): string {
  const found = findings.map(({ rule, level, where, reason }) => `${level} ${rule} at ${where || '/'}: ${reason}`);
  return [...(problem === undefined ? [] : [problem]), ...found].join(' | ');
}
