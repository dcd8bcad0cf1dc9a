import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { CommandContext } from '../command-context.ts';
import { type CommonOptions, openOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, ServeOptions } from '../io.ts';
import { writeJson } from '../output/json.ts';

interface ServeCommandOptions extends CommonOptions {
  /** True when no port was given. */
  http?: number | true;
  host?: string;
}

/** `toolcrib serve`: the MCP server, on stdio or HTTP, until its host ends it. */
export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .description('run the MCP server for a host, on stdio')
    .option('--http [port]', 'serve Streamable HTTP instead of stdio', wholeNumber(0, 65_535))
    .option('--host <address>', 'address for --http (default: 127.0.0.1); others than loopback need tokens');
  withCommonOptions(command, 'toolcrib serve --config ~/.config/toolcrib/toolcrib.json').action(
    async (options: ServeCommandOptions) => {
      context.finish(await runServe(context.io, options));
    },
  );
}

async function runServe(io: CliIo, options: ServeCommandOptions): Promise<ExitCode> {
  if (options.host !== undefined && options.http === undefined) {
    throw new ToolcribError('usage_invalid', '--host is given without --http: stdio has no address.', {
      next: 'Add --http, or leave --host out.',
    });
  }
  const { address, closed } = await io.app.serve(serveOptions(io, options));
  if (address !== undefined) announce(io, address, options.json === true);
  await closed;
  return ExitCode.ok;
}

function serveOptions({ signal, stderr }: CliIo, options: ServeCommandOptions): ServeOptions {
  const { http, host } = options;
  return {
    ...openOptions(options),
    ...(signal !== undefined && { signal }),
    ...(http !== undefined && {
      onConsoleLink: (link: string) => stderr.write(`Console, good for one browser: ${link}\n`),
      http: { ...(http !== true && { port: http }), ...(host !== undefined && { host }) },
    }),
  };
}

/** Only over HTTP: on stdio both streams belong to the host. */
function announce(io: CliIo, address: string, json: boolean): void {
  if (json) writeJson(io.stdout, { address });
  else io.stderr.write(`Listening on ${address}\n`);
}
