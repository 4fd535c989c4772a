import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** What a process takes, and for how long it has. */
export interface Usage {
  /** Resident memory in kilobytes, what it shares with others included. */
  memoryKb: number;
  ageSeconds: number;
}

/** The memory and the age of processes, by pid; who has gone is left out. */
export function usageOf(pids: readonly number[]): Map<number, Usage> {
  if (process.platform !== 'linux') return usageByPs(pids);
  const uptime = Number.parseFloat(textOf('/proc/uptime'));
  return new Map(
    pids.flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      if (stat === '') return [];
      const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
      const memoryKb = Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
      // A clock tick is a hundredth of a second on every Linux that Node runs on: sysconf(_SC_CLK_TCK).
      return [[pid, { memoryKb, ageSeconds: Math.max(0, Math.round(uptime - start / 100)) }] as const];
    }),
  );
}

/** Whether the folder that a process works in has been removed; false where that cannot be told. */
export function isFolderGone(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).endsWith(' (deleted)');
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone
  }
}

function usageByPs(pids: readonly number[]): Map<number, Usage> {
  if (pids.length === 0) return new Map();
  const columns = ['pid', 'rss', 'etime'].flatMap((name) => ['-o', `${name}=`]);
  const { stdout } = spawnSync('ps', [...columns, '-p', pids.join(',')], { encoding: 'utf8' }) as {
    stdout: string | null;
  };
  return new Map(
    (stdout ?? '').split('\n').flatMap((line) => {
      const [, pid, rss, days, hours, minutes, seconds] =
        /^\s*(\d+)\s+(\d+)\s+(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(line) ?? [];
      if (pid === undefined) return [];
      const ageSeconds =
        ((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes)) * 60 + Number(seconds);
      return [[Number(pid), { memoryKb: Number(rss), ageSeconds }] as const];
    }),
  );
}
