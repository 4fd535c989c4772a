import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One line of the process table. */
export interface ProcessRow {
  pid: number;
  ppid: number;
  pgid: number;
  sid: number;
  /** One letter as in ps(1): Z is a zombie. */
  state: string;
  /** Start time in clock ticks since boot (proc_pid_stat(5), field 22): with the pid, an identity that is never reused. Empty where there is no /proc. */
  start: string;
  comm: string;
}

/** The row in the text of a /proc/PID/stat. */
export function parseStat(text: string): ProcessRow {
  // The name in parentheses may itself hold spaces and parentheses: split at the last one.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    pid: Number.parseInt(text, 10),
    ppid: Number(fields[1]),
    pgid: Number(fields[2]),
    sid: Number(fields[3]),
    state: fields[0] ?? '?',
    start: fields[19] ?? '',
    comm: text.slice(text.indexOf('(') + 1, end),
  };
}

/** Reads /proc/PID/stat; undefined where the process is gone or there is no /proc. */
export function readStat(pid: number | 'self'): ProcessRow | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether a process still runs: a zombie has ended and only waits to be reaped. */
export const isLiving = ({ state }: ProcessRow): boolean => state !== 'Z' && state !== 'X';

/**
 * The process group of a process: from /proc, else by one ps(1), which blocks; undefined where the process is gone. Where
 * ps(1) says nothing either (on Linux it reads /proc itself), 0 is a group that is not known, and not its own.
 */
export function groupOf(pid: number): number | undefined {
  const row = readStat(pid);
  if (row || hasProc()) return row?.pgid;
  if (!isThere(pid)) return undefined;
  try {
    const pgid = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (Number(pgid) > 0) return Number(pgid);
  } catch {
    // No ps(1), or one that needs /proc.
  }
  // A group has the number of the process that made it: setpgid(2).
  return isThere(-pid) ? pid : 0;
}

/** Whether kill(2) finds a process, or with a negative number a group. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whether /proc is there and speaks of our pid namespace: after unshare(1) without --mount-proc it numbers other processes. */
export const hasProc = (): boolean => readStat('self')?.pid === process.pid;

/** The whole process table: /proc on Linux, one ps(1) elsewhere. */
export function listProcesses(): ProcessRow[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)) ?? []);
  } catch {
    // No /proc: macOS and the BSDs.
  }
  // One -o for each: FreeBSD's ps takes all that follows the first "=" as a header.
  const columns = ['pid', 'ppid', 'pgid', 'sess', 'stat', 'comm'].flatMap((name) => ['-o', `${name}=`]);
  return execFileSync('ps', ['-ax', ...columns], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, ppid, pgid, sid, state, comm] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S)\S*\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined) return [];
      return [
        {
          pid: Number(pid),
          ppid: Number(ppid),
          pgid: Number(pgid),
          sid: Number(sid) || 0,
          state: state ?? '?',
          start: '',
          comm: comm ?? '',
        },
      ];
    });
}
