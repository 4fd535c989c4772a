import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { MARK_VARIABLE } from './mark.ts';

const MARK = new RegExp(`(?:^|[\\0 ])${MARK_VARIABLE}=([^\\0 ]*)`);

function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // gone, or another user's
  }
}

/** What processes carry in the mark variable, by pid; one whose environment shows none, or cannot be read, is left out. */
export function markTexts(pids: readonly number[]): Map<number, string> {
  const environments =
    process.platform === 'linux'
      ? pids.map((pid) => [pid, environment(pid)] as const)
      : environmentsByPs(pids);
  return new Map(
    environments.flatMap(([pid, text]) => {
      const mark = MARK.exec(text)?.[1];
      return mark === undefined ? [] : [[pid, mark] as const];
    }),
  );
}

/** `ps eww` appends the environment to the command line, of one's own processes only. */
function environmentsByPs(pids: readonly number[]): (readonly [pid: number, text: string])[] {
  if (pids.length === 0) return [];
  const { stdout } = spawnSync('ps', ['eww', '-o', 'pid=', '-o', 'command=', '-p', pids.join(',')], {
    encoding: 'utf8',
  }) as { stdout: string | null };
  return (stdout ?? '').split('\n').map((line) => [Number.parseInt(line, 10), line] as const);
}
