import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type CommonOptions, openOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';

interface ConsoleCommandOptions extends CommonOptions {
  port: number;
  open: boolean;
}

/** `toolcrib console`: a web page for people on this machine, until it is interrupted. */
export function addConsoleCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('console')
    .description('open a web page that shows servers, searches, approvals and the record of calls')
    .option('--port <port>', 'port on 127.0.0.1; 0 takes any free one', wholeNumber(0, 65_535), 0)
    .option('--no-open', 'print the link, and open no browser');
  withCommonOptions(command, 'toolcrib console --config ~/.config/toolcrib/toolcrib.json').action(
    async (options: ConsoleCommandOptions) => {
      context.finish(await runConsole(context.io, options));
    },
  );
}

async function runConsole(io: CliIo, options: ConsoleCommandOptions): Promise<ExitCode> {
  let isFirst = true;
  const onLink = (link: string) => {
    if (options.json) writeJson(io.stdout, { link });
    else io.stdout.write(`${isFirst ? 'Open' : 'For another browser:'} ${link}\n`);
    if (isFirst && options.open && io.stdout.isTTY) void io.openBrowser(link);
    isFirst = false;
  };
  const { port } = options;
  const { closed } = await io.app.openConsole({
    ...openOptions(options),
    port,
    onLink,
    ...(io.signal !== undefined && { signal: io.signal }),
  });
  if (!options.json) io.stderr.write('Each link is good for one browser. Interrupt to end.\n');
  await closed;
  return ExitCode.ok;
}
