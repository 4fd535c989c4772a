import { resolve as resolvePath } from 'node:path';
import { LONGEST_MS } from './longest-ms.ts';
import { addEndHook, removeEndHook } from './status/end-hooks.ts';
import { splitFields, type Patch } from './status/patch.ts';
import { processWriter } from './status/process-writer.ts';
import { poolWriter, type Writer } from './status/writer.ts';

export { patchStatus, type PatchOptions } from './status/patch.ts';

/** Where and how often a status file is written. */
export interface StatusOptions {
  /** The shortest time between two writes, in milliseconds; 100 by default. What comes in between is written together. */
  minIntervalMs?: number;
  /** `pool` writes by Node's threads: cheap, but process.exit() waits for a stalled disk. `process` writes by a process that can be left behind (10 to 14 MB). */
  host?: 'pool' | 'process';
  /** Whether to keep other writers out between reading and replacing, by `PATH.lock`; true by default. */
  lock?: boolean;
  /** How long to wait for them, in milliseconds; then the file is written all the same. 2000 by default. */
  lockMs?: number;
  /** Whether each write reaches the disk before it counts; true by default. */
  fsync?: boolean;
  /** Whether what is pending is written at exit(), after an uncaught exception, and at a signal that nobody else handles; true by default. */
  atExit?: boolean;
  /** How long an end by a signal, or with the process host any end, waits for that, in milliseconds; 2000 by default. */
  atExitMs?: number;
  /** Told of the first failure of a row; the write is tried again. By default a warning of the process. */
  onError?: (error: Error) => void;
}

/** A JSON file of one object that this process publishes. */
export interface StatusFile<T extends object> {
  /** Sets fields, to be written soon; undefined removes one. Costs no I/O. Values are read when they are written: do not change them afterwards. */
  publish(fields: { [K in keyof T]?: T[K] | undefined }): void;
  /** Whether all that was published before is on the disk within so many milliseconds (2000). */
  flush(withinMs?: number): Promise<boolean>;
  /** Flushes, then exits with the code. A write of the pool host that is still stuck would hold exit() up: the process then kills itself (status 137) after its exit handlers. */
  exitWithin(ms?: number, code?: number): Promise<never>;
  /** Flushes and lets go of the exit handlers. */
  close(withinMs?: number): Promise<boolean>;
}

const MAX_PAUSE_MS = 5000;
/**
 * How long the lock is left to others after each write, in milliseconds: longer than they sleep between two looks at it
 * (acquireSteps). Where a write takes longer than the interval, they would never find it free.
 */
const GAP_MS = 20;

/**
 * A status file: any number of publishes, few writes, never a wait of the loop. Each write reads the file again, lays the
 * fields that changed over it, and replaces it, so that fields of others stay and a reader always sees a whole file.
 * A failed write is tried again with what is newest then.
 */
export function statusFile<T extends object = Record<string, unknown>>(
  path: string,
  {
    minIntervalMs = 100,
    host = 'pool',
    lock = true,
    lockMs = 2000,
    fsync = true,
    atExit = true,
    atExitMs = 2000,
    onError = (error) => {
      process.emitWarning(`${path}: ${error.message}`, { code: 'OWNED_SPAWN_STATUS' });
    },
  }: StatusOptions = {},
): StatusFile<T> {
  const whole: Record<string, unknown> = {};
  // Fields to write, and fields that are being written; undefined removes.
  let dirty: Record<string, unknown> = {};
  let inFlight: Record<string, unknown> | undefined;
  let writer: Writer | undefined;
  // How often was published: in all, at the write in flight, and at the last one that is on the disk.
  let [published, taken, written] = [0, 0, 0];
  let isRunning = false;
  let failures = 0;
  let warnedOfLock = false;
  let wake: (() => void) | undefined;
  const flushes = new Set<{ upTo: number; done: () => void }>();

  // The working directory may be another when it is written.
  const file = resolvePath(path);

  const isSettled = (): boolean => written === published;
  const patchOf = (fields: object): Patch => ({
    path: file,
    ...splitFields(fields),
    whole,
    durable: fsync,
    isLocked: lock,
    waitMs: Math.min(lockMs, LONGEST_MS), // JSON has no Infinity
  });
  const theWriter = (): Writer => (writer ??= host === 'process' ? processWriter() : poolWriter());
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      // A process that has nothing else to do need not wait: its end writes what is pending.
      if (atExit) timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // All that the caller publishes before it yields is one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (!isSettled()) {
      const startedAt = performance.now();
      await writeOnce();
      for (const { upTo, done } of [...flushes]) if (written >= upTo) done();
      const restMs =
        failures > 0
          ? Math.min(minIntervalMs * 2 ** failures, MAX_PAUSE_MS)
          : Math.max(minIntervalMs - (performance.now() - startedAt), lock ? GAP_MS : 0);
      if (restMs > 0 && (failures > 0 || flushes.size === 0)) await pause(restMs);
    }
    isRunning = false;
  }

  async function writeOnce(): Promise<void> {
    inFlight = dirty;
    dirty = {};
    taken = published;
    try {
      const { unlocked } = await theWriter().write({ ...patchOf(inFlight), sweeps: written === 0 });
      written = taken;
      failures = 0;
      if (unlocked && !warnedOfLock) {
        warnedOfLock = true;
        onError(new Error(`${path}.lock was held for ${lockMs} ms: written without it`));
      }
    } catch (error) {
      dirty = { ...inFlight, ...dirty };
      if (!leftOut(dirty) && ++failures === 1) onError(error as Error);
    } finally {
      inFlight = undefined;
    }
  }

  /** Takes out what JSON cannot hold (a BigInt, a circular reference), which would keep all other fields from the file for good. */
  function leftOut(fields: Record<string, unknown>): boolean {
    const bad = Object.keys(fields).filter((name) => {
      try {
        JSON.stringify(fields[name]);
        return false;
      } catch (error) {
        onError(new TypeError(`the field "${name}" is left out: ${(error as Error).message}`));
        return true;
      }
    });
    for (const name of bad) for (const all of [fields, whole]) Reflect.deleteProperty(all, name);
    return bad.length > 0;
  }

  const flush = (withinMs = 2000): Promise<boolean> =>
    new Promise((resolve) => {
      if (isSettled()) {
        resolve(true);
        return;
      }
      const finish = (isDone: boolean): void => {
        clearTimeout(timer);
        flushes.delete(waiting);
        resolve(isDone);
      };
      const waiting = {
        upTo: published,
        done: () => {
          finish(true);
        },
      };
      const timer = setTimeout(finish, Math.min(withinMs, LONGEST_MS), false);
      flushes.add(waiting);
      wake?.();
    });

  function writeLast(withinMs: number): void {
    if (isSettled()) return;
    const fields = { ...inFlight, ...dirty };
    try {
      theWriter().writeLast(patchOf(fields), withinMs);
    } catch (error) {
      if (leftOut(fields)) theWriter().writeLast(patchOf(fields), withinMs);
      else onError(error as Error);
    }
  }
  /** Flushes; what is not done in time is left to a process that can be left. */
  async function flushOrLeave(withinMs: number): Promise<boolean> {
    const isDone = await flush(withinMs);
    if (!isDone && host === 'process') writeLast(0);
    removeEndHook(hook);
    return isDone;
  }
  const hook = {
    exit: () => {
      writeLast(atExitMs);
    },
    signal: () => flushOrLeave(atExitMs),
  };

  return {
    publish: (fields) => {
      for (const [name, value] of Object.entries(fields)) {
        whole[name] = value;
        dirty[name] = value;
      }
      published++;
      if (atExit) addEndHook(hook);
      void run();
    },
    flush,
    exitWithin: async (ms = 2000, code) => {
      const isDone = await flushOrLeave(ms);
      if (!isDone && host === 'pool') {
        process.once('exit', () => {
          process.kill(process.pid, 'SIGKILL');
        });
      }
      return process.exit(code);
    },
    close: async (withinMs) => {
      const isDone = await flush(withinMs);
      removeEndHook(hook);
      return isDone;
    },
  };
}
