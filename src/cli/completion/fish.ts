import { allSpecs, type CommandSpec, type Completion } from './command-spec.ts';

/**
 * A script for fish: one line for each command and each option. `__toolcrib_at` holds where that command was typed, and with
 * `--alone` where nothing was given to it yet; `__toolcrib_names` looks names up in the config that was typed.
 */
export function fishCompletion(program: CommandSpec): string {
  const specs = allSpecs(program);
  const paths = specs.map(({ path }) => quote(path.join(' '))).slice(1);
  const valued = specs.flatMap(({ options }) =>
    options.filter(({ value }) => value !== undefined).flatMap(({ flags }) => flags),
  );
  return `# Completion of toolcrib for fish: toolcrib completion fish | source
function __toolcrib_at
  set -l typed
  set -l given no
  set -l words (commandline -opc)[2..-1]
  while set -q words[1]
    set -l word $words[1]
    set -e words[1]
    if contains -- $word ${[...new Set(valued)].join(' ')}
      set -e words[1]
    else if test $given = no; and contains -- (string join ' ' $typed $word) ${paths.join(' ')}
      set -a typed $word
    else if not string match -q -- '-*' $word
      set given yes
    end
  end
  if test "$argv[1]" = --alone
    set -e argv[1]
    test $given = no; or return 1
  end
  test "$typed" = "$argv"
end
function __toolcrib_names
  set -l words (commandline -opc)
  set -l at (contains -i -- --config $words)
  and set -l config --config $words[(math $at + 1)]
  toolcrib completion --names $argv[1] $config 2>/dev/null
end
complete -c toolcrib -f
${specs.flatMap(linesOf).join('\n')}
`;
}

function linesOf(spec: CommandSpec): string[] {
  const typed = spec.path.join(' ');
  const commands = spec.commands.map(
    ({ path, description }) =>
      `complete -c toolcrib -n ${quote(`__toolcrib_at --alone ${typed}`)} -a ${path.at(-1)} -d ${quote(description)}`,
  );
  const here = quote(`__toolcrib_at ${typed}`);
  const options = spec.options.map(({ flags, description, value }) => {
    const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
    const taken = value === undefined ? '' : ` -r${candidates(value)}`;
    return `complete -c toolcrib -n ${here} ${names.join(' ')}${taken} -d ${quote(description)}`;
  });
  const argument = candidates(spec.argument);
  return [...commands, ...options, ...(argument === '' ? [] : [`complete -c toolcrib -n ${here}${argument}`])];
}

function candidates(completion: Completion): string {
  if (completion === 'none') return '';
  if (completion === 'file') return ' -F';
  if (typeof completion === 'object') return ` -a ${quote(completion.choices.join(' '))}`;
  return ` -a ${quote(`(__toolcrib_names '${completion}')`)}`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
