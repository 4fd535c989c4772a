import { resolve } from 'node:path';
import { acquireSteps, lockOwner, releaseSteps, type LockOwner } from '../../files/lock.ts';
import { replaceSteps, sweepSteps } from '../../files/replace.ts';
import { runSteps, type Steps } from '../../files/steps.ts';

/** A change to a JSON file that holds one object. */
export interface Patch {
  path: string;
  set: Record<string, unknown>;
  unset: readonly string[];
  /** What to start from where the file is missing or no JSON object. */
  whole: Record<string, unknown>;
  durable: boolean;
  /** Whether to keep others out between reading and replacing. */
  isLocked: boolean;
  /** How long to wait for the lock, in milliseconds. */
  waitMs: number;
  /** Whether to remove what writers that were killed have left beside the file. */
  sweeps?: boolean;
}

/** What became of a patch. */
export interface Patched {
  wrote: boolean;
  /** The lock was not to be had in time: the file was written all the same. */
  unlocked: boolean;
}

/** The file algorithms that {@link patchSteps} is handed. */
export interface PatchTools {
  replaceSteps: typeof replaceSteps;
  sweepSteps: typeof sweepSteps;
  acquireSteps: typeof acquireSteps;
  releaseSteps: typeof releaseSteps;
}

export const PATCH_TOOLS: PatchTools = { replaceSteps, sweepSteps, acquireSteps, releaseSteps };

/**
 * Reads the file again, lays the change over what is there now, and replaces it. A file that would not change is neither
 * locked nor written. Holds no reference to its module: hosts get its source.
 */
export function* patchSteps(
  tools: PatchTools,
  patch: Patch,
  owner: LockOwner,
  temporary?: (target: string) => string,
): Steps<Patched> {
  function* readSteps(): Steps<string> {
    try {
      return yield ['readFile', patch.path, 'utf8'];
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return '';
      throw error;
    }
  }
  const merged = (text: string): string => {
    let base: unknown;
    try {
      base = JSON.parse(text);
    } catch {
      // Missing, or cut off by a writer that does not replace.
    }
    const isObject = typeof base === 'object' && base !== null && !Array.isArray(base);
    const fields: Record<string, unknown> = { ...(isObject ? (base as object) : patch.whole), ...patch.set };
    for (const name of patch.unset) Reflect.deleteProperty(fields, name);
    return `${JSON.stringify(fields, null, 2)}\n`;
  };

  const before = yield* readSteps();
  if (merged(before) === before) return { wrote: false, unlocked: false };
  let target = patch.path;
  try {
    // One lock for all names of a file.
    target = yield ['realpath', patch.path];
  } catch {
    // Not there yet.
  }
  const held = patch.isLocked && (yield* tools.acquireSteps(target, owner, { waitMs: patch.waitMs }));
  try {
    if (patch.sweeps) yield* tools.sweepSteps(target);
    const data = merged(yield* readSteps());
    yield* tools.replaceSteps(patch.path, data, { durable: patch.durable, ...(temporary && { temporary }) });
  } finally {
    if (held) yield* tools.releaseSteps(target, owner);
  }
  return { wrote: true, unlocked: patch.isLocked && !held };
}

/** How {@link patchStatus} writes. */
export interface PatchOptions {
  /** Whether to keep other writers out, by `PATH.lock`; true by default. */
  lock?: boolean;
  /** How long to wait for them, in milliseconds; then the file is written all the same. 2000 by default. */
  lockMs?: number;
  /** Whether the bytes are on the disk when it is done; true by default. */
  fsync?: boolean;
}

/** Fields to set, and by `undefined` to remove. */
export const splitFields = (fields: object): { set: Record<string, unknown>; unset: string[] } => {
  const entries = Object.entries(fields);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    unset: entries.filter(([, value]) => value === undefined).map(([name]) => name),
  };
};

/**
 * Sets fields of a status file that another process owns: once, under the same lock, all others kept. For a command line
 * tool that stamps a file which a server publishes.
 * @param fields a field that is undefined is removed
 * @returns whether the file changed
 * @throws the error of the file system
 */
export async function patchStatus<T extends object = Record<string, unknown>>(
  path: string,
  fields: { [K in keyof T]?: T[K] | undefined },
  { lock = true, lockMs = 2000, fsync = true }: PatchOptions = {},
): Promise<boolean> {
  const patch: Patch = {
    path: resolve(path),
    ...splitFields(fields),
    whole: {},
    durable: fsync,
    isLocked: lock,
    waitMs: lockMs,
  };
  return (await runSteps(patchSteps(PATCH_TOOLS, patch, lockOwner()))).wrote;
}
