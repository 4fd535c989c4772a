import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers';
import { livingMember, signalOwned } from '../process/group.ts';
import { escapeesOf, reportEscapees } from './escapees.ts';
import { isOwned, registry, type OwnedGroup } from './registry.ts';
import { retireWhenIdle, tell } from './supervisor.ts';
import { isHunted, releasedLine, settledLine } from './wire.ts';

const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 30_000;

/** Lets the group go: nothing ends it from now on. */
export function release(group: OwnedGroup): void {
  if (!isOwned(group)) return;
  registry.groups.delete(group.pgid);
  tell(releasedLine(group.pgid) + (isHunted(group) ? settledLine(group.seq) : ''));
  retireWhenIdle();
}

/** Releases the group at once where it is empty, as after the exit of a child without children; else looks again, ever more seldom. Never keeps the loop alive. */
export function releaseOnceEmpty(group: OwnedGroup): void {
  if (!isOwned(group)) return;
  const isSimple = group.extent !== 'session' && group.escapees === 'ignore';
  if (process.platform === 'win32' || (isSimple && isGone(group))) release(group);
  else void look(group, group.pgid, FIRST_LOOK_MS);
}

/** Makes the group known as the child's, and releases it once the child has ended and nobody is left. A child has one listener of ours, however often it is taken and released. */
export function releaseOnExit(child: ChildProcess, group: OwnedGroup): void {
  const isKnown = registry.byChild.has(child);
  registry.byChild.set(child, group);
  if (isKnown) return;
  // First of all listeners: one that throws keeps the later ones from running.
  child.prependOnceListener('exit', () => {
    const last = registry.byChild.get(child);
    if (last) releaseOnceEmpty(last);
  });
}

async function look(group: OwnedGroup, hint: number, afterMs: number): Promise<void> {
  const member = await livingMember(group, hint).catch(() => hint);
  if (!isOwned(group)) return;
  if (member === undefined && !(await hasEscapees(group))) {
    release(group);
    return;
  }
  setTimeout(() => void look(group, member ?? hint, Math.min(afterMs * 2, LAST_LOOK_MS)), afterMs).unref();
}

/** Whether somebody who left keeps the group owned; where they are to be reported only, reports them. */
async function hasEscapees(group: OwnedGroup): Promise<boolean> {
  if (group.escapees === 'ignore') return false;
  const left = await escapeesOf(group).catch(() => []);
  if (group.escapees === 'kill') return left.length > 0;
  if (left.length > 0 && isOwned(group)) reportEscapees(group, left);
  return false;
}

function isGone(group: OwnedGroup): boolean {
  try {
    return !signalOwned(group, 0);
  } catch {
    // EPERM: members of another user live.
    return false;
  }
}
