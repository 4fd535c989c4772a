import { defineCommand } from '../cli/command.ts';
import { completion, SHELL_NAMES, type Shell } from '../cli/completion.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { nearest } from '../cli/nearest.ts';

export const command = defineCommand({
  name: 'completion',
  summary: 'print a script that completes commands and flags in a shell',
  usage: SHELL_NAMES.join('|'),
  flags: {},
  examples: [
    ['eval "$(owned-spawn completion bash)"', 'In ~/.bashrc'],
    ['eval "$(owned-spawn completion zsh)"', 'In ~/.zshrc, below compinit'],
    ['owned-spawn completion fish | source', 'In ~/.config/fish/config.fish'],
  ],
  async run(_values, [shell, ...others], { out, commands }) {
    if (shell === undefined || others.length > 0)
      throw new UserError('for which shell?', `One of ${SHELL_NAMES.join(', ')}.`);
    if (!isShell(shell)) {
      const near = nearest(shell, SHELL_NAMES);
      throw new UserError(
        `there is no completion for "${shell}"`,
        near ? `Did you mean ${near}?` : `There is one for ${SHELL_NAMES.join(', ')}.`,
      );
    }
    out.write(completion(shell, (await commands?.()) ?? []));
    return EXIT.ok;
  },
});

const isShell = (name: string): name is Shell => SHELL_NAMES.some((each) => each === name);
