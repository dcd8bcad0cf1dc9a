import { allSpecs, type CommandSpec, type Completion } from './command-spec.ts';

/** A script for bash, without need of the package bash-completion. */
export function bashCompletion(program: CommandSpec): string {
  return `# Completion of toolcrib for bash: eval "$(toolcrib completion bash)"
${functions(program)}
complete -o filenames -F _toolcrib toolcrib
`;
}

/** The same for zsh, through its own layer for functions of bash. */
export function zshCompletion(program: CommandSpec): string {
  return `# Completion of toolcrib for zsh: eval "$(toolcrib completion zsh)"
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
${functions(program)}
complete -o filenames -F _toolcrib toolcrib
`;
}

/*
 * `_toolcrib_command` sets what a command knows: the commands below it, its options, those of them that take a value, and what its
 * argument is. `_toolcrib_value` says what an option's value is. `_toolcrib` walks over what is typed to the command that is meant.
 * No variable is named `path`: in zsh that one is where programs are looked for.
 */
function functions(program: CommandSpec): string {
  const specs = allSpecs(program);
  return `_toolcrib_command() {
  case "$1" in
${specs.map(commandCase).join('\n')}
  esac
}
_toolcrib_value() {
  case "$1 $2" in
${specs.flatMap(valueCases).join('\n')}
  *) kind=none ;;
  esac
}
_toolcrib() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local typed='' commands options valued argument kind word given='' config='' i=1
  _toolcrib_command ''
  while [[ $i -lt $COMP_CWORD ]]; do
    word="\${COMP_WORDS[$i]}"
    if [[ $valued == *" $word "* ]]; then
      i=$((i+1))
      [[ $word == --config ]] && config="\${COMP_WORDS[$i]}"
    elif [[ $given == '' && $commands == *" $word "* ]]; then
      typed="\${typed:+$typed }$word"
      _toolcrib_command "$typed"
    elif [[ $word != -* ]]; then
      given=yes
    fi
    i=$((i+1))
  done
  if [[ $valued == *" $prev "* ]]; then
    _toolcrib_value "$typed" "$prev"
  elif [[ $cur == -* ]]; then
    kind="words $options"
  elif [[ $commands != ' ' && $given == '' ]]; then
    kind="words $commands"
  else
    kind="$argument"
  fi
  local found=''
  case "$kind" in
    'words '*) found="\${kind#words }" ;;
    'names '*) found="$(\${COMP_WORDS[0]} completion --names "\${kind#names }" \${config:+--config "$config"} 2>/dev/null)" ;;
    file) COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "$cur"))
}`;
}

function commandCase({ path, commands, options, argument }: CommandSpec): string {
  const valued = options.filter(({ value }) => value !== undefined);
  const lines = [
    `commands=${list(commands.map((inner) => inner.path.at(-1) ?? ''))}`,
    `options=${list(options.flatMap(({ flags }) => flags))}`,
    `valued=${list(valued.flatMap(({ flags }) => flags))}`,
    `argument=${kindOf(argument)}`,
  ];
  return `  '${path.join(' ')}') ${lines.join('; ')} ;;`;
}

function valueCases({ path, options }: CommandSpec): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === undefined || value === 'none') return [];
    const patterns = flags.map((flag) => `'${path.join(' ')} ${flag}'`);
    return [`  ${patterns.join('|')}) kind=${kindOf(value)} ;;`];
  });
}

function kindOf(completion: Completion): string {
  if (typeof completion === 'object') return `'words ${completion.choices.join(' ')}'`;
  return completion === 'none' || completion === 'file' ? completion : `'names ${completion}'`;
}

/** With a space around each word, so that one is found as a whole. */
function list(words: readonly string[]): string {
  return `' ${words.map((word) => `${word} `).join('')}'`;
}
