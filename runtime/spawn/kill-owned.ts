import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { isStranger, jobGroups, livingMember, signalGroup, signalOwned } from '../process/group.ts';
import { readStat } from '../process/identity.ts';
import { endEscapees, escapeesOf, reportEscapees } from './escapees.ts';
import { groupId, hasEnded, isChild, ownedGroup, type GroupLike } from './groups.ts';
import { checkGrace, invalidOption } from './options.ts';
import { adopted, isOwned, type OwnedGroup } from './registry.ts';
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
 * @param options.killSignal what is sent first, TERM by default
 * @returns resolves when nobody lives in the group and the child's exit is known; at once for a child that never started or a group that is gone
 * @throws (rejects) TypeError for 0, 1, our own group, a group that is not owned, a child that leads no group, and a wrong graceMs; EPERM where all members belong to another user; ETIMEDOUT where KILL ended nothing in 5 s
 */
export async function killOwned(
  target: GroupLike,
  {
    killSignal = 'SIGTERM',
    ...options
  }: { graceMs?: number | undefined; killSignal?: NodeJS.Signals | number | undefined } = {},
): Promise<void> {
  const grace = options.graceMs === undefined ? undefined : checkGrace(options.graceMs);
  const group = groupToEnd(target);
  if (!group) return;
  if (process.platform === 'win32') return endTree(group.pgid);
  const graceMs = grace ?? group.graceMs;
  const wasThere = signalOwned(group, killSignal);
  if (wasThere) signalOwned(group, 'SIGCONT');
  if (wasThere || group.extent === 'session')
    await emptied(group, isChild(target) ? target : undefined, graceMs);
  if (group.escapees !== 'ignore' && isOwned(group)) await seeToEscapees(group, graceMs);
  release(group);
}

async function seeToEscapees(group: OwnedGroup, graceMs: number): Promise<void> {
  const escapees = await escapeesOf(group);
  if (escapees.length === 0) return;
  if (group.escapees === 'kill') await endEscapees(group, graceMs);
  else reportEscapees(group, escapees);
}

async function emptied(group: OwnedGroup, child: ChildProcess | undefined, graceMs: number): Promise<void> {
  const killAt = performance.now() + graceMs;
  let member = group.pgid;
  let isKilled = false;
  const told = new Set<number>();
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_LOOK_MS)) {
    // A child of ours that has not been reaped keeps the number, zombie or not.
    const living = child && !hasEnded(child) ? group.pgid : await livingMember(group, member);
    if (living === undefined) return;
    member = living;
    const now = performance.now();
    if (group.extent === 'session') await signalJobs(group, told, now >= killAt);
    if (!isKilled && now >= killAt) isKilled = signalOwned(group, 'SIGKILL');
    if (now >= killAt + KILL_TIMEOUT_MS) throw outlasted(group.pgid);
    await exitOrPause(child, now < killAt ? Math.min(pauseMs, killAt - now) : pauseMs);
  }
}

/** Ends the other groups of a session: TERM to each once, to what came since the last look too, KILL after the grace. */
async function signalJobs({ pgid: sid }: OwnedGroup, told: Set<number>, isLate: boolean): Promise<void> {
  for (const pgid of await jobGroups(sid)) {
    if (isLate) signalGroup(pgid, 'SIGKILL');
    else if (!told.has(pgid) && signalGroup(pgid, 'SIGTERM')) signalGroup(pgid, 'SIGCONT');
    told.add(pgid);
  }
}

/** The timer holds the process: who waits for an end that nothing else announces must not be left unsettled. */
function exitOrPause(child: ChildProcess | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void (child && exitOf(child))?.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const exits = new WeakMap<ChildProcess, Promise<unknown>>();

/** One listener a child, however many wait for its end: Node warns of more than ten. */
function exitOf(child: ChildProcess): Promise<unknown> {
  const exit = exits.get(child) ?? new Promise((resolve) => child.once('exit', resolve));
  exits.set(child, exit);
  return exit;
}

/** Undefined where there is nothing left to end. */
function groupToEnd(target: GroupLike): OwnedGroup | undefined {
  const group = ownedGroup(target);
  if (group) {
    if (!isStranger(group)) return group;
    // It emptied unseen.
    release(group);
    return undefined;
  }
  const pgid = groupId(target);
  if (pgid === undefined) return undefined;
  if (isChild(target)) return adopted(pgid, readStat(pgid)?.start ?? '');
  if (!signalGroup(pgid, 0)) return undefined;
  throw invalidOption('VALUE', `process group ${pgid} is not owned; take it with ownProcessGroups() first`);
}

async function endTree(pid: number): Promise<void> {
  await once(spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' }), 'close');
}

const outlasted = (pgid: number): Error =>
  Object.assign(
    new Error(
      `process group ${pgid} still lives ${KILL_TIMEOUT_MS} ms after KILL: it hangs in the kernel (state D in ps), as on a disk or a network mount that does not answer; it ends once that answers, and stays owned until then`,
    ),
    { code: 'ETIMEDOUT' },
  );
