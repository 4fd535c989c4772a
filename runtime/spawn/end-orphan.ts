import { setTimeout as pause } from 'node:timers/promises';
import { jobGroups, livingMember, signalGroup, signalOwned } from '../process/group.ts';
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
    await signal(orphan, 'SIGTERM');
    await signal(orphan, 'SIGCONT');
    const killAt = performance.now() + graceMs;
    for (let member: number | undefined = pgid; performance.now() < killAt + KILL_MS;) {
      member = await livingMember(orphan, member);
      if (member === undefined) return;
      if (performance.now() >= killAt) await signal(orphan, 'SIGKILL');
      await pause(LOOK_MS, undefined, { ref: false });
    }
  } catch {
    // EPERM: it belongs to another user by now.
  } finally {
    release(orphan);
  }
}

async function signal(orphan: Orphan, name: NodeJS.Signals): Promise<void> {
  // Listed first: a leader that ends by the signal must not hide its jobs.
  const jobs = orphan.extent === 'session' ? await jobGroups(orphan.pgid) : [];
  signalOwned(orphan, name);
  for (const pgid of jobs) signalGroup(pgid, name);
}
