import { readdir, readFile } from 'node:fs/promises';
import { hasProc, isLiving, parseStat, readStat } from './identity.ts';

/**
 * Sends a signal to a whole group, 0 to ask whether it is there. The caller has checked the number: `kill(-1)` is every
 * process of the user.
 * @returns false where the group is gone
 * @throws EPERM where every member belongs to another user
 */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pgid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return false;
    // macOS says EPERM of a group that holds only zombies.
    if (code === 'EPERM' && process.platform === 'darwin') return false;
    throw error;
  }
}

/** What tells a group from a later one with its number: the leader's start time, empty where it is unknown. */
export interface GroupIdentity {
  readonly pgid: number;
  readonly start: string;
}

/** Whether the number belongs to somebody else by now: a process has it that started at another time. */
export function isStranger({ pgid, start }: GroupIdentity): boolean {
  const leader = readStat(pgid);
  return leader !== undefined && start !== '' && leader.start !== start;
}

/**
 * A member of the group that is no zombie, without blocking the loop. The last answer is a good `hint`: as long as it
 * holds, one file is read instead of the whole table. Without a usable /proc kill(2) is believed.
 */
export async function livingMember(group: GroupIdentity, hint: number): Promise<number | undefined> {
  const { pgid } = group;
  if (!signalGroup(pgid, 0) || isStranger(group)) return undefined;
  const known = readStat(hint);
  if (known?.pgid === pgid && isLiving(known)) return hint;
  if (!hasProc()) return pgid;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = await readFile(`/proc/${name}/stat`, 'utf8').then(parseStat, () => undefined);
    if (row?.pgid === pgid && isLiving(row)) return row.pid;
  }
  return undefined;
}
