import type { Command } from './command.ts';

/** What a shell offers: the commands with their flags, and which words a flag takes. */
type Commands = readonly Pick<Command, 'name' | 'summary' | 'flags'>[];

const SHELLS = { bash, zsh, fish } as const satisfies Record<string, (commands: Commands) => string>;

export type Shell = keyof typeof SHELLS;
export const SHELL_NAMES = Object.keys(SHELLS) as Shell[];

/** The script that completes `owned-spawn` in a shell: commands, flags, the words that a flag takes, else files. */
export const completion = (shell: Shell, commands: Commands): string => SHELLS[shell](commands);

/** Between single quotes, as sh reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function bash(commands: Commands): string {
  const arm = (pattern: string, words: readonly string[]): string =>
    `    ${quoted(pattern)}) words=${quoted(words.join(' '))} ;;`;
  const names = [...commands.map(({ name }) => name), '--help', '--version'];
  const values = commands.flatMap(({ name, flags }) =>
    Object.entries(flags).flatMap(([flag, { choices }]) =>
      choices ? [arm(`${name} --${flag}`, choices)] : [],
    ),
  );
  const flags = commands.map((command) =>
    arm(
      command.name,
      [...Object.keys(command.flags), 'help'].map((flag) => `--${flag}`),
    ),
  );
  // What is left without words completes as files do, by `-o default`.
  return `# Completes owned-spawn in bash: eval "$(owned-spawn completion bash)"
_owned_spawn() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
    *) case "$current" in -*) case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
    esac ;; esac ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words=${quoted(names.join(' '))}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _owned_spawn owned-spawn
`;
}

function zsh(commands: Commands): string {
  const described = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${described(summary)}`)}`);
  const arms = commands.map(({ name, flags }) => {
    const specs = Object.entries(flags).map(([flag, { help, value, choices, multiple }]) => {
      const takes = value === undefined ? '' : `:${value}:${choices ? `(${choices.join(' ')})` : '_files'}`;
      return quoted(`${multiple ? '*' : ''}--${flag}[${described(help)}]${takes}`);
    });
    return `    ${name}) _arguments ${[...specs, quoted('--help[show the help]'), quoted('*:path:_files')].join(' ')} ;;`;
  });
  // In a file of $fpath the text is the function's body; by eval it is to define it.
  return `#compdef owned-spawn
# Completes owned-spawn in zsh: eval "$(owned-spawn completion zsh)", below compinit
_owned_spawn() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${arms.join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _owned_spawn ]; then _owned_spawn "$@"; else compdef _owned_spawn owned-spawn; fi
`;
}

function fish(commands: Commands): string {
  const text = (its: string): string => `'${its.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c owned-spawn -n __fish_use_subcommand -f -a ${name} -d ${text(summary)}`,
    ...Object.entries(flags).map(([flag, { help, value, choices, short }]) => {
      const takes = value === undefined ? '' : choices ? ` -x -a ${text(choices.join(' '))}` : ' -r';
      const key = short === undefined ? '' : ` -s ${short}`;
      return `complete -c owned-spawn -n '__fish_seen_subcommand_from ${name}'${key} -l ${flag}${takes} -d ${text(help)}`;
    }),
  ]);
  return `# Completes owned-spawn in fish: owned-spawn completion fish | source
${lines.join('\n')}
`;
}
