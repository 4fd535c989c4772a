import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function words(pid: number): string[] {
  try {
    // A program that sets its title leaves one text, padded: proc_pid_cmdline(5).
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').split('\0');
  } catch {
    return [];
  }
}

/** The command lines of processes as words, by pid (elsewhere than on Linux split at spaces). One that has gone is left out. */
export function commandLines(pids: readonly number[]): Map<number, string[]> {
  const lines =
    process.platform === 'linux' ? pids.map((pid) => [pid, words(pid)] as const) : wordsByPs(pids);
  return new Map(lines.filter(([, [first]]) => first !== undefined && first !== ''));
}

function wordsByPs(pids: readonly number[]): (readonly [pid: number, words: string[]])[] {
  if (pids.length === 0) return [];
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'pid=', '-o', 'command=', '-p', pids.join(',')], {
    encoding: 'utf8',
  }) as { stdout: string | null };
  return (stdout ?? '').split('\n').map((line) => {
    const [pid, ...rest] = line.trim().split(/\s+/);
    return [Number(pid), rest] as const;
  });
}
