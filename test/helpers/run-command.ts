import { parseFlags } from '../../runtime/cli/flags.ts';
import type { Ask } from '../../runtime/cli/asker.ts';
import type { Command } from '../../runtime/cli/command.ts';
import { terminal } from '../../runtime/cli/terminal.ts';

/** Runs a command in this process and collects what it prints. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  {
    cwd = '/',
    env = {},
    signal = new AbortController().signal,
    ask,
  }: { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal; ask?: Ask } = {},
): Promise<{ code: number; out: string; err: string }> {
  const text = { out: '', err: '' };
  const sink = (to: keyof typeof text): ReturnType<typeof terminal> =>
    terminal({ write: (part: string) => (text[to] += part) }, {});
  const { values, positionals } = parseFlags(command.flags, argv);
  const code = await command.run(values, positionals, {
    cwd,
    env,
    out: sink('out'),
    err: sink('err'),
    signal,
    ...(ask && { ask }),
  });
  return { code, ...text };
}
