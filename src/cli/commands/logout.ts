import type { Command } from 'commander';
import type { LogoutReport, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';

/** `toolcrib logout <server>`: forgets a login, here and at the authorization server. */
export function addLogoutCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('logout')
    .description('forget the login to a server')
    .argument('<server>', 'id of the server');
  withCommonOptions(command, 'toolcrib logout github --config .mcp.json').action(
    async (server: string, options: CommonOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runLogout(toolcrib, context.io, server, options));
    },
  );
}

async function runLogout(toolcrib: Toolcrib, io: CliIo, server: string, { json }: CommonOptions): Promise<ExitCode> {
  const report = await toolcrib.logout(server);
  if (json) writeJson(io.stdout, report);
  else io.stdout.write(`${inWords(report)}\n`);
  return ExitCode.ok;
}

function inWords({ server, wasLoggedIn, isRevoked }: LogoutReport): string {
  if (!wasLoggedIn) return `There was no login to ${server}.`;
  const there = isRevoked ? ', and it was revoked' : '; it was not revoked at the server, where it ends by itself';
  return `The login to ${server} is deleted${there}.`;
}
