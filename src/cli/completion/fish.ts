import { allSpecs, type CommandSpec, type Completion } from './command-spec.ts';

/** A script for fish: one line for each command and each option. */
export function fishCompletion(program: CommandSpec): string {
  return `# Completion of toolcrib for fish: toolcrib completion fish | source
complete -c toolcrib -f
${allSpecs(program).flatMap(linesOf).join('\n')}
`;
}

function linesOf(spec: CommandSpec): string[] {
  const here = condition(spec);
  const commands = spec.commands.map(
    ({ path, description }) => `complete -c toolcrib -n ${quote(here)} -a ${path.at(-1)} -d ${quote(description)}`,
  );
  const options = spec.options.map(({ flags, description, value }) => {
    const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
    const taken = value === undefined ? '' : ` -r${candidates(value)}`;
    return `complete -c toolcrib -n ${quote(here)} ${names.join(' ')}${taken} -d ${quote(description)}`;
  });
  const argument = candidates(spec.argument);
  return [...commands, ...options, ...(argument === '' ? [] : [`complete -c toolcrib -n ${quote(here)}${argument}`])];
}

/** True where the command was typed, and none of those below it. */
function condition({ path, commands }: CommandSpec): string {
  const below = commands.map((inner) => inner.path.at(-1)).join(' ');
  const typed = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const notBelow = commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below}`];
  return [...typed, ...notBelow].join('; and ');
}

function candidates(completion: Completion): string {
  if (completion === 'none') return '';
  if (completion === 'file') return ' -F';
  if (typeof completion === 'object') return ` -a ${quote(completion.choices.join(' '))}`;
  return ` -a ${quote(`(toolcrib completion --names '${completion}' 2>/dev/null)`)}`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
