import { Argument, type Command, Option } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { bashCompletion, zshCompletion } from '../completion/bash.ts';
import { commandSpec } from '../completion/command-spec.ts';
import { fishCompletion } from '../completion/fish.ts';
import { ExitCode } from '../exit-code.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof scripts;

const nameKinds = ['servers', 'tools', 'tools and servers'] as const;

interface CompletionOptions extends CommonOptions {
  names?: (typeof nameKinds)[number];
}

/** `toolcrib completion <shell>`: a script that completes commands, options, servers and tools. */
export function addCompletionCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('completion')
    .description('print a script that makes a shell complete commands, options, servers and tools')
    .addArgument(new Argument('[shell]', 'the shell').choices(Object.keys(scripts)))
    // For the scripts: what the catalog knows, one name a line.
    .addOption(new Option('--names <kind>').choices(nameKinds).hideHelp());
  withCommonOptions(command, 'toolcrib completion bash >> ~/.bashrc').action(
    async (shell: Shell | undefined, options: CompletionOptions) => {
      const { names } = options;
      if (names !== undefined) {
        await runWithToolcrib(context, options, async (toolcrib) => {
          context.io.stdout.write(
            namesOf(toolcrib, names)
              .map((name) => `${name}\n`)
              .join(''),
          );
          return ExitCode.ok;
        });
        return;
      }
      if (shell === undefined) throw shellMissing();
      context.io.stdout.write(scripts[shell](commandSpec(program)));
    },
  );
}

/** Only what a shell takes as one word: names come from servers. */
function namesOf(toolcrib: Toolcrib, kind: (typeof nameKinds)[number]): string[] {
  const tools = kind === 'servers' ? [] : toolcrib.listTools().map(({ name }) => name);
  const servers = kind === 'tools' ? [] : toolcrib.listServers().map(({ server }) => server);
  return [...tools, ...servers].filter((name) => /^[\w.@-]+$/.test(name));
}

function shellMissing(): ToolcribError {
  return new ToolcribError('usage_invalid', 'No shell was named.', {
    next: `Name one of ${Object.keys(scripts).join(', ')}: toolcrib completion bash.`,
  });
}
