import type { Command } from 'commander';

/** What can be typed at one place: a fixed list, or something that is looked up when it is asked for. */
export type Completion = 'none' | 'file' | 'servers' | 'tools' | 'tools and servers' | { choices: readonly string[] };

/** One command, as a shell needs to know it. */
export interface CommandSpec {
  /** `["list", "tools"]`; empty for the program itself. */
  path: string[];
  description: string;
  options: { flags: string[]; description: string; value?: Completion }[];
  argument: Completion;
  commands: CommandSpec[];
}

/** Reads the tree of commands. What an argument takes is told by its name. */
export function commandSpec(command: Command, path: string[] = []): CommandSpec {
  const help = command.createHelp();
  const [first] = command.registeredArguments;
  return {
    path,
    description: command.description(),
    options: help.visibleOptions(command).map(({ short, long, description, argChoices, required, flags }) => ({
      flags: [short, long].flatMap((flag) => flag ?? []),
      description,
      ...(required ? { value: completionOf(flags, argChoices) } : {}),
    })),
    argument: first === undefined ? 'none' : completionOf(`<${first.name()}>`, first.argChoices),
    commands: help
      .visibleCommands(command)
      .filter((inner) => inner.name() !== 'help')
      .map((inner) => commandSpec(inner, [...path, inner.name()])),
  };
}

/** The command and all below it. */
export function allSpecs(spec: CommandSpec): CommandSpec[] {
  return [spec, ...spec.commands.flatMap(allSpecs)];
}

/** `flags` as the help shows them: `--server <id>`, `<tool|server>`. */
function completionOf(flags: string, choices: readonly string[] | undefined): Completion {
  if (choices !== undefined) return { choices };
  const value = /<(?<value>[^>.]+)/.exec(flags)?.groups?.value ?? '';
  if (flags.startsWith('--server ') || value === 'server') return 'servers';
  if (value === 'tool' || value === 'name') return flags.startsWith('-') ? 'none' : 'tools';
  if (value === 'tool|server') return 'tools and servers';
  return value === 'file' || value === 'cases' || value === 'folder' ? 'file' : 'none';
}
