import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../cli/exit.ts';
import { reasonOf } from './outcome.ts';
import type { Program } from './program.ts';

/** How long all that is left must have had a reason to be left before the wait ends early. */
const SETTLED_MS = 1000;

const CHECK_EVERY_MS = 10;
const SCAN_EVERY_MS = 100;

/**
 * Kills the owner and watches its descendants until none is left, none is left without a reason, or the time is over.
 * @returns when it was killed, in the clock of performance.now().
 * @throws UserError where it does not die within the time.
 */
export async function killAndWatch(
  { name, child, descendants }: Program,
  kill: NodeJS.Signals,
  waitMs: number,
  signal: AbortSignal,
): Promise<number> {
  const start = performance.now();
  child.kill(kill);
  let [lastScan, lastUnexplained] = [start, start];
  for (;;) {
    descendants.check();
    const now = performance.now();
    const { diedAt } = descendants.owner;
    const isOver = now - start >= waitMs;
    if (isOver && diedAt === undefined)
      throw new UserError(`${kill} did not end ${name} within ${waitMs / 1000} s`);
    // What has died may have started something right before: nothing is over without a look at everything.
    if (isOver || descendants.living().length === 0 || now - lastScan >= SCAN_EVERY_MS) {
      descendants.scan();
      lastScan = performance.now();
    }
    const living = descendants.living();
    if (diedAt === undefined || living.some((each) => reasonOf(each) === null)) lastUnexplained = now;
    if (diedAt !== undefined && (isOver || living.length === 0 || now - lastUnexplained >= SETTLED_MS))
      return start;
    await sleep(CHECK_EVERY_MS, undefined, { signal });
  }
}
