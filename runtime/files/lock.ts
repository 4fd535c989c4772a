import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { runSteps, type Steps } from './steps.ts';

/** How a lock is waited for. */
export interface LockOptions {
  /** How long to wait for a holder that lives, in milliseconds; 2000 by default. */
  waitMs?: number;
  /** From which age, in milliseconds, a lock counts as left behind where its holder cannot be seen (another machine or pid namespace); 30000 by default. */
  staleMs?: number;
}

/** Who holds a lock: enough to tell whether it still lives. */
export interface LockOwner {
  pid: number;
  /** Clock ticks since boot; empty where there is no /proc. */
  start: string;
  /** Machine, boot and pid namespace: pids of another place say nothing here. */
  place: string;
  /** Random: one process may take the lock in several places. */
  nonce: string;
}

const readOr = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

/** A name for a holder in this process. */
// blocking-call: ok — /proc answers from memory, within microseconds
export const lockOwner = (): LockOwner => ({
  pid: process.pid,
  start: readOr(() => startIn(readFileSync('/proc/self/stat', 'utf8'))),
  place: [
    hostname(),
    readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOr(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' '),
  nonce: Math.random().toString(36).slice(2, 12),
});

/** The start time in a /proc/PID/stat: field 22, counted from behind the name, which may hold anything (proc_pid_stat(5)). */
const startIn = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';

/**
 * Holds the lock file `PATH.lock` while `work` runs: one process at a time, on this machine or a shared disk. A lock whose
 * holder has died is taken over.
 * @returns what `work` returned; `held` is false where the lock was not to be had in time: the work was done all the same
 */
export async function withLock<T>(
  path: string,
  work: (held: boolean) => Promise<T> | T,
  options: LockOptions = {},
): Promise<T> {
  const owner = lockOwner();
  const held = await runSteps(acquireSteps(path, owner, options));
  try {
    return await work(held);
  } finally {
    if (held) await runSteps(releaseSteps(path, owner));
  }
}

/**
 * Takes the lock, or says no after `waitMs`. Holds no reference to its module: hosts get its source.
 * @throws the error of the file system where no lock file can be made at all (ENOENT, EACCES, EROFS)
 */
export function* acquireSteps(
  path: string,
  owner: LockOwner,
  { waitMs = 2000, staleMs = 30_000 }: LockOptions,
): Steps<boolean> {
  const lock = `${path}.lock`;
  const breaker = `${lock}.break`;
  const mine = JSON.stringify(owner);
  const end = Date.now() + waitMs;

  function* make(file: string): Steps<boolean> {
    try {
      yield ['writeFile', file, mine, { flag: 'wx' }];
      return true;
    } catch (error) {
      // Windows says EPERM of a file that is being deleted.
      const { code } = error as { code?: string };
      if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
      throw error;
    }
  }
  function* remove(file: string): Steps<void> {
    try {
      yield ['unlink', file];
    } catch {
      // Somebody was faster.
    }
  }
  function* isOlder(file: string, ms: number): Steps<boolean> {
    try {
      const { mtimeMs }: { mtimeMs: number } = yield ['stat', file];
      return Date.now() - mtimeMs > ms;
    } catch {
      return false; // gone
    }
  }
  function* isLeft(text: string): Steps<boolean> {
    let holder: LockOwner | undefined;
    try {
      holder = JSON.parse(text) as LockOwner;
    } catch {
      // Empty: its writer died, or is about to write. Age tells.
    }
    if (!holder) return yield* isOlder(lock, Math.min(staleMs, 5000));
    if (holder.place !== owner.place) return yield* isOlder(lock, staleMs);
    try {
      process.kill(holder.pid, 0);
    } catch (error) {
      return (error as { code?: string }).code === 'ESRCH';
    }
    if (holder.start === '') return false;
    try {
      const stat: string = yield ['readFile', `/proc/${holder.pid}/stat`, 'utf8'];
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] !== holder.start;
    } catch {
      return false; // died this moment: the next round sees it
    }
  }
  function* read(): Steps<string | undefined> {
    try {
      return yield ['readFile', lock, 'utf8'];
    } catch {
      return undefined;
    }
  }

  for (;;) {
    if (yield* make(lock)) return true;
    const text = yield* read();
    if (text === mine) return true; // left by a run of ours that was cut off
    if (text !== undefined && (yield* isLeft(text))) {
      // Two who both see a dead holder must not both remove: the second would remove the first one's new lock.
      if (yield* make(breaker)) {
        if ((yield* read()) === text) yield* remove(lock);
        yield* remove(breaker);
        continue;
      }
      if (yield* isOlder(breaker, 5000)) yield* remove(breaker);
    }
    if (Date.now() >= end) return false;
    yield ['sleep', 3 + Math.random() * 12];
  }
}

/** Gives the lock back, unless somebody has taken it over meanwhile. Holds no reference to its module: hosts get its source. */
export function* releaseSteps(path: string, owner: LockOwner): Steps<void> {
  const lock = `${path}.lock`;
  try {
    const text: string = yield ['readFile', lock, 'utf8'];
    if (text === JSON.stringify(owner)) yield ['unlink', lock];
  } catch {
    // Gone already.
  }
}
