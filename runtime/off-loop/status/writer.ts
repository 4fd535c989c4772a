import fs from 'node:fs';
import { lockOwner, type LockOwner } from '../../files/lock.ts';
import { runSteps, runStepsSync } from '../../files/steps.ts';
import { PATCH_TOOLS, patchSteps, type Patch, type Patched } from './patch.ts';

/** Who puts patches on the disk, one at a time. */
export interface Writer {
  write(patch: Patch): Promise<Patched>;
  /**
   * The last patch, in an 'exit' handler: nothing that waits for the loop would ever go on.
   * @param withinMs how long to wait at most, where the writer can be left behind
   */
  writeLast(patch: Patch, withinMs: number): void;
}

const KEY = Symbol.for('owned-spawn/status/1');

/** One write in flight in a thread, for all files: each stalled write takes one of the four threads that DNS, crypto and all other files share. */
const turns = ((globalThis as Partial<Record<symbol, { tail: Promise<unknown> }>>)[KEY] ??= {
  tail: Promise.resolve(),
});

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = turns.tail.then(work);
  turns.tail = turn.catch(() => undefined);
  return turn;
}

/** Writes by Node's own file system threads. process.exit() waits for a write that has begun. */
export function poolWriter(): Writer {
  const owner: LockOwner = lockOwner();
  let temporaries: string[] = [];
  const temporary = (target: string): string => {
    const name = `${target}.${process.pid}.${owner.nonce}.tmp`;
    temporaries.push(name);
    return name;
  };
  return {
    write: (patch) =>
      inTurn(async () => {
        try {
          return await runSteps(patchSteps(PATCH_TOOLS, patch, owner, temporary));
        } finally {
          temporaries = [];
        }
      }),
    writeLast: (patch, withinMs) => {
      // A rename that waits for a thread must not come after ours.
      for (const name of temporaries) fs.rmSync(name, { force: true });
      const last = { ...patch, waitMs: Math.min(patch.waitMs, withinMs) };
      runStepsSync(
        fs,
        patchSteps(PATCH_TOOLS, last, owner, (target) => `${target}.${process.pid}.${owner.nonce}last.tmp`),
      );
    },
  };
}
