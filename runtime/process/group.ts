import { readdir, readFile } from 'node:fs/promises';
import { hasProc, isLiving, parseStat, readStat, type ProcessRow } from './identity.ts';

/**
 * Sends a signal to a whole group, 0 to ask whether it is there. The caller has checked the number: `kill(-1)` is every
 * process of the user.
 * @returns false where the group is gone
 * @throws EPERM where every member belongs to another user
 */
export function signalGroup(pgid: number, signal: NodeJS.Signals | number): boolean {
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

/** {@link signalGroup} for who has nothing to do about a group whose members all belong to another user by now. */
export function trySignalGroup(pgid: number, signal: NodeJS.Signals): void {
  try {
    signalGroup(pgid, signal);
  } catch {
    // EPERM
  }
}

/** What tells a group from a later one with its number: the leader's start time, empty where it is unknown. */
export interface GroupIdentity {
  readonly pgid: number;
  readonly start: string;
  /** `process`: only the one with that pid is meant; `session`: every group of the session with that id. */
  readonly extent?: 'group' | 'process' | 'session' | undefined;
}

/** Whether the number belongs to somebody else by now: a process has it that started at another time. */
export function isStranger({ pgid, start }: GroupIdentity): boolean {
  const leader = readStat(pgid);
  return leader !== undefined && start !== '' && leader.start !== start;
}

/**
 * Sends a signal to what is meant: the group, or the one process. Of a session only the leader's group is signalled, as
 * the others are found by reading the process table: see {@link jobGroups}.
 * @returns false where it is gone
 * @throws EPERM where every member belongs to another user
 */
export function signalOwned(group: GroupIdentity, signal: NodeJS.Signals | number): boolean {
  if (group.extent !== 'process') return signalGroup(group.pgid, signal);
  if (isStranger(group)) return false;
  try {
    return process.kill(group.pgid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * The groups of a session beside its leader's in which somebody lives, without blocking the loop: a shell with job control
 * gives one to each job, and makes new ones until it ends. None where there is no usable /proc.
 */
export async function jobGroups(sid: number): Promise<number[]> {
  const groups = new Set<number>();
  for await (const row of processes())
    if (row.sid === sid && row.pgid !== sid && isLiving(row)) groups.add(row.pgid);
  return [...groups];
}

/**
 * A member of what is meant that is no zombie, without blocking the loop. The last answer is a good `hint`: as long as it
 * holds, one file is read instead of the whole table. Without a usable /proc kill(2) is believed.
 */
export async function livingMember(group: GroupIdentity, hint: number): Promise<number | undefined> {
  const { pgid, extent } = group;
  const isMember = (row: ProcessRow | undefined): boolean => {
    if (row === undefined || !isLiving(row)) return false;
    if (extent === 'session') return row.sid === pgid;
    return extent === 'process' ? row.pid === pgid : row.pgid === pgid;
  };
  if (isStranger(group)) return undefined;
  if (extent !== 'session' && !signalOwned(group, 0)) return undefined;
  if (isMember(readStat(hint))) return hint;
  if (!hasProc()) return signalOwned(group, 0) ? pgid : undefined;
  if (extent === 'process') return undefined;
  for await (const row of processes()) if (isMember(row)) return row.pid;
  return undefined;
}

/** The process table of /proc, read one by one. */
async function* processes(): AsyncGenerator<ProcessRow> {
  if (!hasProc()) return;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = await readFile(`/proc/${name}/stat`, 'utf8').then(parseStat, () => undefined);
    if (row) yield row;
  }
}
