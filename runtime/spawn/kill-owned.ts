import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { livingMember, signalGroup } from '../process/group.ts';
import { readStat } from '../process/identity.ts';
import { groupId, hasEnded, isChild, ownedGroup, type GroupLike } from './groups.ts';
import { checkGrace, invalidOption } from './options.ts';
import { registry } from './registry.ts';
import { release } from './release-once-empty.ts';

const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 50;
/** What a KILL does not end in this time hangs in the kernel (state D, proc_pid_stat(5)). */
const KILL_TIMEOUT_MS = 5000;

/**
 * Ends a child and its whole process group: TERM, graceMs, KILL to what still lives. TERM is sent before the call returns,
 * so that an 'exit' handler may call it. A stopped group is continued, to let its handlers run. Nothing is sent once the
 * group was seen empty: its number may be another's. On Windows `taskkill /T /F`.
 *
 * @param target a child, or the id of an owned group
 * @param options.graceMs milliseconds from TERM to KILL; by default those that the child was started with
 * @returns resolves when nobody lives in the group and the child's exit is known; at once for a child that never started or a group that is gone
 * @throws (rejects) TypeError for 0, 1, our own group, a group that is not owned, a child that leads no group, and a wrong graceMs; EPERM where all members belong to another user; ETIMEDOUT where KILL ended nothing in 5 s
 */
export async function killOwned(
  target: GroupLike,
  options: { graceMs?: number | undefined } = {},
): Promise<void> {
  const { graceMs } = options;
  const grace = checkGrace(graceMs);
  const pgid = groupToEnd(target);
  if (pgid === undefined) return;
  const group = registry.groups.get(pgid);
  if (process.platform === 'win32') return endTree(pgid);
  if (signalGroup(pgid, 'SIGTERM')) {
    signalGroup(pgid, 'SIGCONT');
    await emptied(target, pgid, graceMs === undefined ? (group?.graceMs ?? grace) : grace);
  }
  if (group) release(group);
}

async function emptied(target: GroupLike, pgid: number, graceMs: number): Promise<void> {
  const killAt = performance.now() + graceMs;
  let member = pgid;
  let isKilled = false;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    // A child of ours that has not been reaped keeps the number, zombie or not.
    const isPinned = isChild(target) && !hasEnded(target);
    const living = isPinned ? pgid : await livingMember(pgid, member);
    if (living === undefined) return;
    member = living;
    const now = performance.now();
    if (!isKilled && now >= killAt) {
      signalGroup(pgid, 'SIGKILL');
      isKilled = true;
    }
    if (now >= killAt + KILL_TIMEOUT_MS) throw outlasted(pgid);
    await sleep(Math.min(pause, Math.max(killAt - now, FIRST_LOOK_MS)));
  }
}

/** Undefined where there is nothing left to end. */
function groupToEnd(target: GroupLike): number | undefined {
  const group = ownedGroup(target);
  if (!group) {
    const pgid = groupId(target);
    if (pgid === undefined || isChild(target) || !signalGroup(pgid, 0)) return pgid;
    throw invalidOption('VALUE', `process group ${pgid} is not owned; take it with ownProcessGroups() first`);
  }
  const leader = readStat(group.pgid);
  // The group emptied unseen and the number was given to a stranger.
  if (leader && group.start && leader.start !== group.start) {
    release(group);
    return undefined;
  }
  return group.pgid;
}

async function endTree(pid: number): Promise<void> {
  await once(spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' }), 'close');
}

const outlasted = (pgid: number): Error =>
  Object.assign(new Error(`process group ${pgid} still lives ${KILL_TIMEOUT_MS} ms after KILL`), {
    code: 'ETIMEDOUT',
  });
