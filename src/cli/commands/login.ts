import type { Command } from 'commander';
import type { LoginReport, Toolcrib } from '../../model/index.ts';
import { plural } from '../../render/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { printable } from '../output/plain-text.ts';

/** A day: nobody waits longer for somebody to log in. */
const timeoutMaxS = 86_400;

interface LoginCommandOptions extends CommonOptions {
  browser: boolean;
  /** Seconds. */
  timeout?: number;
}

/** `toolcrib login <server>`: OAuth in the user's browser, and the server's tools after it. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('login')
    .description('log in to a server that asks for it, in the browser')
    .argument('<server>', 'id of the server')
    .option('--no-browser', 'print the address instead of opening it')
    .option('--timeout <seconds>', 'time to finish in (default: 300)', wholeNumber(1, timeoutMaxS));
  withCommonOptions(command, 'toolcrib login github --config .mcp.json').action(
    async (server: string, options: LoginCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runLogin(toolcrib, context.io, server, options));
    },
  );
}

async function runLogin(
  toolcrib: Toolcrib,
  io: CliIo,
  server: string,
  { browser, timeout, json }: LoginCommandOptions,
): Promise<ExitCode> {
  // Somebody has to be there to see it.
  const mayOpen = browser && io.stderr.isTTY;
  const report = await toolcrib.login(server, {
    onAuthorizationUrl: (url) => void show(io, url, mayOpen),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(io.signal !== undefined && { signal: io.signal }),
  });
  if (json) writeJson(io.stdout, report);
  else io.stdout.write(inWords(report));
  return report.problem === undefined ? ExitCode.ok : ExitCode.failed;
}

/** The address is always printed: the browser that opens may be the wrong one, or none. */
async function show(io: CliIo, url: string, mayOpen: boolean): Promise<void> {
  const isOpen = mayOpen && (await io.openBrowser(url));
  io.stderr.write(
    `${isOpen ? 'Your browser was sent to' : 'Open this address in a browser on this machine:'}\n${url}\n`,
  );
}

function inWords({ server, issuer, scope, isRenewable, tools, problem }: LoginReport): string {
  const scopes = scope === undefined ? '' : ` (${scope})`;
  const ends = isRenewable ? '' : ' It ends without a renewal.';
  const listed = problem === undefined ? `${plural(tools ?? 0, 'tool')}.` : `Its tools could not be listed: ${problem}`;
  return `${printable(`Logged in to ${server} at ${issuer}${scopes}.${ends} ${listed}`)}\n`;
}
