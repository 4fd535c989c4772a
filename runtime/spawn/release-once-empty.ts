import { setTimeout } from 'node:timers';
import { livingMember, signalGroup } from '../process/group.ts';
import { isOwned, registry, type OwnedGroup } from './registry.ts';
import { retireWhenIdle, tell } from './supervisor.ts';
import { releasedLine } from './wire.ts';

const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 30_000;

/** Lets the group go: nothing ends it from now on. */
export function release(group: OwnedGroup): void {
  if (!isOwned(group)) return;
  registry.groups.delete(group.pgid);
  tell(releasedLine(group.pgid));
  retireWhenIdle();
}

/** Releases the group at once where it is empty, as after the exit of a child without children; else looks again, ever more seldom. Never keeps the loop alive. */
export function releaseOnceEmpty(group: OwnedGroup): void {
  if (!isOwned(group)) return;
  if (process.platform === 'win32' || isGone(group.pgid)) release(group);
  else void look(group, group.pgid, FIRST_LOOK_MS);
}

async function look(group: OwnedGroup, hint: number, afterMs: number): Promise<void> {
  const member = await livingMember(group, hint).catch(() => hint);
  if (!isOwned(group)) return;
  if (member === undefined) {
    release(group);
    return;
  }
  setTimeout(() => void look(group, member, Math.min(afterMs * 2, LAST_LOOK_MS)), afterMs).unref();
}

function isGone(pgid: number): boolean {
  try {
    return !signalGroup(pgid, 0);
  } catch {
    // EPERM: members of another user live.
    return false;
  }
}
