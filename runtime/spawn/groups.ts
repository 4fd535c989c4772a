import type { ChildProcess } from 'node:child_process';
import { groupOf, readStat } from '../process/identity.ts';
import { record, recordNow } from './ledger.ts';
import { checkExtent, checkGrace, checkLabel, invalidOption } from './options.ts';
import { adopted, isOwned, registry, type OwnedGroup } from './registry.ts';
import { release, releaseOnceEmpty, releaseOnExit } from './release-once-empty.ts';
import { ensureSupervisor, tell } from './supervisor.ts';
import { groupLine } from './wire.ts';

/** A process group: its id, or the child that leads it. */
export type GroupLike = number | ChildProcess;

const MAX_PID = 9_999_999;

/**
 * Makes groups that others started end with this process, as if spawnOwned() had started them. A child must lead its
 * group (`detached: true`). Groups that are gone already are passed over; one that empties is released by itself.
 * @param groups ids or children
 * @param options.session every group of the leader's session too, on Linux: for what runs under a PTY
 * @throws TypeError for wrong options, and for what is no group that may be signalled: 0, 1, our own, a child that leads no group. Then none is taken
 */
export function ownProcessGroups(
  groups: GroupLike | Iterable<GroupLike>,
  options: { graceMs?: number; label?: string; session?: boolean } = {},
): void {
  const given = {
    graceMs: checkGrace(options.graceMs),
    label: checkLabel(options.label),
    extent: checkExtent(undefined, options.session),
  };
  const taken = listOf(groups).flatMap((group) => {
    const pgid = groupId(group);
    if (pgid === undefined || registry.groups.has(pgid)) return [];
    return groupOf(pgid) === undefined ? [] : [{ pgid, group }];
  });
  for (const { pgid, group } of taken) {
    const owned = adopted(pgid, readStat(pgid)?.start ?? '', given);
    ensureSupervisor();
    registry.groups.set(pgid, owned);
    tell(groupLine(owned));
    record('adopt', { ...owned, label: owned.label ?? null });
    if (typeof group === 'number') {
      releaseOnceEmpty(owned);
      continue;
    }
    releaseOnExit(group, owned);
  }
}

/**
 * Lets groups go: they outlive this process from now on. What is not owned is passed over.
 * @throws TypeError for what is no group that may be signalled
 */
export function releaseProcessGroups(groups: GroupLike | Iterable<GroupLike>): void {
  for (const group of listOf(groups)) {
    const owned = ownedGroup(group);
    if (!owned) continue;
    release(owned);
    // Before we may end: a later run must not take it for something that we left by accident.
    recordNow('release', { ...owned, label: owned.label ?? null });
  }
}

/**
 * Lets a group go as soon as nobody lives in it; zombies do not count. Owned children do this by themselves on exit.
 * The waiting does not keep this process alive.
 * @throws TypeError for what is no group that may be signalled
 */
export function releaseProcessGroupOnceEmpty(group: GroupLike): void {
  const owned = ownedGroup(group);
  if (owned) releaseOnceEmpty(owned);
}

/** The groups that end with this process, in the order in which they came. */
export const owned = (): OwnedGroup[] => [...registry.groups.values()].map((group) => ({ ...group }));

/** The registered group of an id or a child; undefined where there is none. */
export function ownedGroup(group: GroupLike): OwnedGroup | undefined {
  // A process that is owned alone leads no group: groupId() would refuse it.
  if (!isChild(group)) return registry.groups.get(group) ?? registry.groups.get(groupId(group) ?? 0);
  // A child that was taken by its number is known by it, as long as it pins it.
  const record =
    registry.byChild.get(group) ?? (hasEnded(group) ? undefined : registry.groups.get(group.pid ?? 0));
  return record && isOwned(record) ? record : undefined;
}

/**
 * The id of a group that may be signalled; undefined for a child that never started or has ended.
 * @throws TypeError for 0, 1, our own group, and for a child that leads no group: its number would hit others
 */
export function groupId(group: GroupLike): number | undefined {
  if (!isChild(group)) {
    checkGroupId(group);
    const leads = groupOf(group);
    if (leads === undefined || leads === group) return group;
    throw invalidOption('VALUE', `${group} is a process of group ${leads}, not a process group`);
  }
  if (group.pid === undefined || hasEnded(group)) return undefined;
  const pgid = groupOf(group.pid);
  if (pgid === undefined || pgid === group.pid) return pgid;
  throw invalidOption(
    'VALUE',
    `child ${group.pid} leads no process group (it is in ${pgid}); start it with spawnOwned()`,
  );
}

/** Whether the child's exit is known: then its pid may be another's. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

export const isChild = (group: unknown): group is ChildProcess =>
  typeof group === 'object' && group !== null && 'pid' in group && 'exitCode' in group;

function checkGroupId(pgid: unknown): void {
  if (typeof pgid !== 'number') throw invalidOption('TYPE', 'a process group is a number or a ChildProcess');
  if (!Number.isInteger(pgid) || pgid <= 1 || pgid > MAX_PID) {
    // kill(-0) is our own group, kill(-1) every process of the user: kill(2).
    throw invalidOption(
      'VALUE',
      `${Object.is(pgid, -0) ? '-0' : pgid} is no process group that may be signalled`,
    );
  }
  if (pgid === process.pid || pgid === groupOf(process.pid)) {
    throw invalidOption('VALUE', `${pgid} is the process group of this process itself`);
  }
  if (pgid === registry.supervisor.child?.pid) {
    throw invalidOption('VALUE', `${pgid} is the process group of the supervisor`);
  }
}

const listOf = (groups: GroupLike | Iterable<GroupLike>): GroupLike[] =>
  typeof groups === 'object' && Symbol.iterator in Object(groups)
    ? [...(groups as Iterable<GroupLike>)]
    : [groups as GroupLike];
