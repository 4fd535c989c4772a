import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from 'owned-spawn/cli';

/** A file's new text, and the one that is there. */
export interface Change {
  path: string;
  before: string;
  after: string;
}

interface Staged {
  target: string;
  temporary: string;
  change: Change;
}

/**
 * Replaces all files or none: every new text is written and synced beside its file first, then all are renamed into place.
 * Modes and symbolic links stay. A rename that fails takes the earlier ones back.
 *
 * @param signal aborted before the renames, nothing has changed
 * @returns whether the files were replaced
 * @throws {UserError} saying what stopped it, and which files could not be taken back, if any
 */
export function replaceFiles(changes: readonly Change[], signal: AbortSignal): boolean {
  const staged: Staged[] = [];
  try {
    for (const change of changes) {
      if (signal.aborted) return false;
      staged.push(stage(change.path, change.after, change, staged.length));
    }
    if (signal.aborted) return false;
    renameAll(staged);
    return true;
  } finally {
    for (const { temporary } of staged) discard(temporary);
  }
}

function stage(path: string, text: string, change: Change, n: number): Staged {
  let temporary: string | undefined;
  try {
    const target = realpathSync(path);
    const { mode } = statSync(target);
    const beside = join(dirname(target), `.owned-spawn-${process.pid}-${n}.tmp`);
    const fd = openSync(beside, 'wx', mode);
    temporary = beside;
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    // The umask has no say: the file had its mode before.
    chmodSync(temporary, mode & 0o7777);
    return { target, temporary, change };
  } catch (error) {
    if (temporary !== undefined) discard(temporary);
    throw new UserError(`cannot write beside ${path}: ${codeOf(error)}`, 'Nothing was changed.');
  }
}

// Synchronous, so that no signal handler runs between two renames.
function renameAll(staged: readonly Staged[]): void {
  const done: Staged[] = [];
  for (const each of staged) {
    try {
      renameSync(each.temporary, each.target);
      done.push(each);
    } catch (error) {
      const lost = done.filter((earlier) => !restore(earlier)).map(({ change }) => change.path);
      throw new UserError(
        `cannot replace ${each.change.path}: ${codeOf(error)}`,
        lost.length === 0
          ? 'Nothing was changed.'
          : `These files are migrated and could not be taken back: ${lost.join(', ')}`,
      );
    }
  }
}

function restore({ target, change }: Staged): boolean {
  try {
    const { temporary } = stage(target, change.before, change, -1);
    renameSync(temporary, target);
    return true;
  } catch {
    return false;
  }
}

function discard(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // Renamed into place.
  }
}

/** The system's name of what went wrong; anything else is a bug and goes on as it is. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}
