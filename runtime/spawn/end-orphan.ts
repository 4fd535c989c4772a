import { setTimeout as pause } from 'node:timers/promises';
import { livingMember, sessionGroups, signalGroup, signalOwned } from '../process/group.ts';
import type { Orphan } from './orphans-of.ts';
import { registry } from './registry.ts';
import { release } from './release-once-empty.ts';
import { ensureSupervisor, tell } from './supervisor.ts';
import { groupLine } from './wire.ts';

const LOOK_MS = 50;
/** What a KILL does not end in this time hangs in the kernel. */
const KILL_MS = 5000;

/** Ends an orphan as its owner's supervisor would have: TERM, grace, KILL. Does not keep this process alive: the supervisor takes it over. */
export async function endOrphan(orphan: Orphan): Promise<void> {
  const { pgid, graceMs } = orphan;
  if (registry.groups.has(pgid)) return;
  // From here on the supervisor sees to it, if we end meanwhile.
  ensureSupervisor();
  registry.groups.set(pgid, orphan);
  tell(groupLine(orphan));
  try {
    signal(orphan, 'SIGTERM', await crewsOf(orphan));
    signal(orphan, 'SIGCONT', await crewsOf(orphan));
    const killAt = performance.now() + graceMs;
    for (let member: number | undefined = pgid; performance.now() < killAt + KILL_MS;) {
      member = await livingMember(orphan, member);
      if (member === undefined) return;
      if (performance.now() >= killAt) signal(orphan, 'SIGKILL', await crewsOf(orphan));
      await pause(LOOK_MS, undefined, { ref: false });
    }
  } catch {
    // EPERM: it belongs to another user by now.
  } finally {
    release(orphan);
  }
}

const crewsOf = async ({ extent, pgid }: Orphan): Promise<number[]> =>
  extent === 'session' ? (await sessionGroups(pgid)).filter((crew) => crew !== pgid) : [];

function signal(orphan: Orphan, name: NodeJS.Signals, crews: readonly number[]): void {
  signalOwned(orphan, name);
  for (const crew of crews) signalGroup(crew, name);
}
