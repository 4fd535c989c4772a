import type { ChildProcess, ForkOptions, SpawnOptions, StdioOptions } from 'node:child_process';
import type { Writable } from 'node:stream';
import { invalidOption } from './options.ts';

const SHELL = '/bin/sh';
/** dash knows single digits only: higher numbers are words to it. */
const HIGHEST_FD = 9;

/** What a child is started with, so that a shell in its place waits for a line before it becomes the command. */
export interface Gate {
  /** What comes before the command and its arguments, the shell itself first. */
  words: [shell: string, ...args: string[]];
  options: SpawnOptions & ForkOptions;
  /** Lets the child go on; without it, it ends with the owner's end of the pipe. */
  open: (child: ChildProcess) => void;
}

/**
 * Makes the gate: one more pipe behind those that the options ask for.
 * @param isFork the child gets the channel of fork()
 * @throws TypeError where there is no room for it
 */
export function gateOf(options: SpawnOptions & ForkOptions, isFork: boolean): Gate {
  const stdio = isFork ? forkList(options) : listOf(options.stdio);
  const fd = Math.max(3, stdio.length);
  if (fd > HIGHEST_FD)
    throw invalidOption(
      'VALUE',
      `options.strict takes up to ${HIGHEST_FD} entries of stdio, not ${stdio.length}`,
    );
  while (stdio.length < fd) stdio.push('pipe');
  return {
    words: [SHELL, '-c', `read -r line <&${fd} && exec ${fd}<&- && exec "$@"`, 'owned-spawn'],
    options: { ...options, stdio: [...stdio, 'pipe'] },
    open(child) {
      const pipe = child.stdio[fd] as Writable | null | undefined;
      // The child may have been killed meanwhile: EPIPE.
      pipe?.on('error', () => undefined);
      pipe?.end('\n');
    },
  };
}

/** The command that spawn() would give to a shell for `shell: true` or a path; see child_process.spawn(). */
export function shellWords(shell: string | boolean, command: string, args: readonly string[]): string[] {
  return [shell === true ? SHELL : String(shell), '-c', [command, ...args].join(' ')];
}

/** As fork() makes it: the parent's streams, or with `silent` pipes, and a channel. */
function forkList({ stdio, silent }: ForkOptions): Exclude<StdioOptions, string> {
  if (Array.isArray(stdio)) return [...stdio];
  return [...listOf(stdio ?? (silent ? 'pipe' : 'inherit')), 'ipc'];
}

function listOf(stdio: StdioOptions | undefined): Exclude<StdioOptions, string> {
  if (Array.isArray(stdio)) return [...stdio];
  const each = stdio ?? 'pipe';
  return [each, each, each];
}
