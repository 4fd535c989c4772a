import { setTimeout as sleep } from 'node:timers/promises';
import { readStat } from '../process/identity.ts';
import type { Descendant, Descendants } from './descendants.ts';

const living = ({ owner, living: others }: Descendants): Descendant[] => [
  ...others(),
  ...(owner.diedAt === undefined ? [owner] : []),
];

function signal({ row }: Descendant, name: NodeJS.Signals): void {
  // Looked at once more right before: a pid alone may be somebody else's by now.
  if (process.platform === 'linux' && readStat(row.pid)?.start !== row.start) return;
  try {
    process.kill(row.pid, name);
  } catch {
    // Gone, or not ours to end: the caller sees who is left.
  }
}

/** KILLs the owner and every descendant found, at once: for an exit that cannot wait. */
export function killDescendants(descendants: Descendants): void {
  descendants.scan();
  for (const each of living(descendants)) signal(each, 'SIGKILL');
}

/**
 * Ends the owner and every descendant, those included that are started meanwhile: TERM, then KILL.
 * @param graceMs how long TERM may take, in milliseconds.
 * @returns what could not be ended within ten seconds more.
 */
export async function endDescendants(descendants: Descendants, graceMs: number): Promise<Descendant[]> {
  descendants.scan();
  for (const each of living(descendants)) {
    signal(each, 'SIGTERM');
    signal(each, 'SIGCONT'); // a stopped process takes TERM only once it runs again
  }
  const start = performance.now();
  for (;;) {
    descendants.scan();
    const left = living(descendants);
    const elapsed = performance.now() - start;
    if (left.length === 0 || elapsed > graceMs + 10_000) return left;
    if (elapsed > graceMs) for (const each of left) signal(each, 'SIGKILL');
    await sleep(20);
  }
}
