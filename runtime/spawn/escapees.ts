import { setTimeout as pause } from 'node:timers/promises';
import { livingMember, trySignalGroup } from '../process/group.ts';
import { groupOf } from '../process/identity.ts';
import type { Mark } from '../process/mark.ts';
import { listMarked, type Marked } from '../process/marked.ts';
import { registry, type OwnedGroup } from './registry.ts';

const LOOK_MS = 50;

/** Whether marks say that a process descends from that spawn, and that nobody has let it go on purpose since. */
export function descendsFrom(marks: readonly Mark[], nonce: string, seq: number): boolean {
  const at = marks.findIndex((mark) => mark.nonce === nonce && mark.seq === seq);
  return at >= 0 && marks.slice(at).every(({ why }) => why === undefined);
}

/** Who left an owned child's group and lives, by the environment mark. Nobody where there is no /proc. */
export async function escapeesOf({ seq, pgid, extent }: OwnedGroup): Promise<Marked[]> {
  if (seq === 0) return [];
  const own = groupOf(process.pid);
  return (await listMarked()).filter(
    ({ row, marks }) =>
      descendsFrom(marks, registry.nonce, seq) &&
      (extent === 'session' ? row.sid : row.pgid) !== pgid &&
      // What shares our own group cannot be ended by group.
      row.pgid !== own,
  );
}

/** Warns of who left a group and lives on. */
export function reportEscapees({ pgid, label }: OwnedGroup, escapees: readonly Marked[]): void {
  const who = escapees.map(({ row }) => `pid ${row.pid} (${row.comm})`).join(', ');
  const name = label === undefined ? `${pgid}` : `${pgid} (${label})`;
  process.emitWarning(
    `owned-spawn: left the group ${name}: ${who}. They live on; escapees: 'kill' ends them.`,
    { code: 'OWNED_SPAWN_ESCAPEES' },
  );
}

/** TERM, grace, KILL to the groups of escapees; resolves when nobody of them is left, or KILL has had its time. */
export async function endEscapees(group: OwnedGroup, graceMs: number): Promise<void> {
  const killAt = performance.now() + graceMs;
  const known = new Set<number>();
  while (performance.now() < killAt + LOOK_MS * 20) {
    const groups = new Set((await escapeesOf(group)).map(({ row }) => row.pgid));
    if (groups.size === 0) return;
    for (const pgid of groups) {
      const isLate = performance.now() >= killAt;
      if (known.has(pgid) && !isLate) continue;
      known.add(pgid);
      trySignalGroup(pgid, isLate ? 'SIGKILL' : 'SIGTERM');
      if (!isLate) trySignalGroup(pgid, 'SIGCONT');
    }
    await untilGone([...groups], killAt);
  }
}

async function untilGone(groups: readonly number[], end: number): Promise<void> {
  for (const pgid of groups) {
    let member: number | undefined = pgid;
    while (member !== undefined && performance.now() < end) {
      await pause(LOOK_MS);
      member = await livingMember({ pgid, start: '' }, member).catch(() => pgid);
    }
  }
}
