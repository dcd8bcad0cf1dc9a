import type { Command } from 'commander';
import type { CliIo, TextOutput } from '../../src/cli/io.ts';
import { createProgram } from '../../src/cli/run-cli.ts';

/** Columns of the help texts. */
const width = 110;

/** The page of every command, made of the help that each one prints. */
export function cliPage(): string {
  const output: string[] = [];
  const commands = commandsBelow(createProgram({ io: silentIo(output), finish: () => undefined }));
  const helpOf = (command: Command) => {
    output.length = 0;
    command.outputHelp();
    return output.join('').trimEnd();
  };
  const [program, ...rest] = commands;
  const parts = rest.map(({ path, command }) => `## ${path}\n\n\`\`\`\n${helpOf(command)}\n\`\`\``);
  return `<!-- Made by \`npm run docs\` from the commands in src/cli: change the text there. -->

# Command line

Data goes to stdout, progress and errors to stderr. \`--json\` prints JSON, errors too. Exit codes: 0 ok, 1 failed, 2 bad usage or
config, 3 nothing found.

\`\`\`
${program === undefined ? '' : helpOf(program.command)}
\`\`\`

${parts.join('\n\n')}
`;
}

interface CommandAt {
  path: string;
  command: Command;
}

function commandsBelow(command: Command, before = ''): CommandAt[] {
  const path = `${before}${command.name()}`;
  const inner = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
  return [{ path, command }, ...inner.flatMap((one) => commandsBelow(one, `${path} `))];
}

/** Help needs a width and a place to go to; no command is run. */
function silentIo(output: string[]): CliIo {
  const stdout: TextOutput = { write: (text) => void output.push(text), isTTY: false, columns: width, color: false };
  return { stdout, stderr: stdout, version: '' } as unknown as CliIo;
}
