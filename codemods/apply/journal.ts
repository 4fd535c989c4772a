import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UserError, withLock } from 'owned-spawn/cli';
import { repositoryOf } from './git.ts';

/** A file's new text, and the one that is there. */
export interface Change {
  path: string;
  before: string;
  after: string;
}

type Side = 'before' | 'after';

/** A file of a migration: where it lies, relative to the root with `/`, and the hashes of both its texts. */
interface Entry {
  path: string;
  before: string;
  after: string;
}

/** What is on disk of a migration while it is written, and afterwards, so that it can be taken back. */
export interface Journal {
  version: 1;
  /** Whether all files were replaced. */
  state: 'writing' | 'written';
  files: Entry[];
}

/** The folder that keeps the journal: the top of the git repository, so that it is found from every folder in it. */
export function journalRoot(base: string): string {
  const folder = realpathSync(base);
  return repositoryOf(join(folder, 'x')) ?? folder;
}

const stateFolder = (root: string): string => join(root, '.owned-spawn');
const folderOf = (root: string): string => join(stateFolder(root), 'migration');
const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const stored = (root: string, n: number, side: Side): string => join(folderOf(root), `${n}.${side}`);
const temporaryOf = (target: string, n: number): string => join(dirname(target), `.owned-spawn-${n}.tmp`);

/**
 * Runs `work` as the only migration below a root, with the journal of the last one; undefined where there is none. One
 * that was cut off before or after it replaced files is settled: only a mixture is left as `writing`.
 *
 * @throws {UserError} where another one is at work
 */
export async function withJournal<T>(
  root: string,
  work: (journal: Journal | undefined) => Promise<T> | T,
): Promise<T> {
  try {
    mkdirSync(stateFolder(root), { recursive: true });
    // A folder that ignores itself: no .gitignore of the project is touched.
    writeFileSync(join(stateFolder(root), '.gitignore'), '*\n');
  } catch (error) {
    throw new UserError(`cannot write to ${stateFolder(root)}: ${codeOf(error)}`, 'Nothing was changed.');
  }
  try {
    return await withLock(join(stateFolder(root), 'migration'), (held) => {
      if (!held)
        throw new UserError('another migration is at work here', 'Nothing was changed: wait for it to end.');
      return work(readJournal(root));
    });
  } finally {
    if (!existsSync(folderOf(root))) removeIfEmpty(stateFolder(root));
  }
}

/** Whether a migration below a root was written or begun; then {@link withJournal} tells more. */
export const hasJournal = (root: string): boolean => existsSync(folderOf(root));

function readJournal(root: string): Journal | undefined {
  const file = join(folderOf(root), 'journal.json');
  if (!existsSync(file)) {
    // Killed before there was one: no file of the project was touched.
    rmSync(folderOf(root), { recursive: true, force: true });
    return undefined;
  }
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
  if ((journal.version as number) !== 1)
    throw new UserError(
      `${file} was written by a newer version of owned-spawn`,
      'Use that version to take its migration back, or remove the file.',
    );
  if (journal.state === 'written') return journal;
  const isAll = (side: Side): boolean => journal.files.every((entry) => isAt(root, entry, side));
  if (isAll('after')) return finish(root, journal);
  if (!isAll('before')) return journal;
  forget(root, journal);
  return undefined;
}

/**
 * Replaces all files or none. Both texts of each are stored first; whenever the process is killed, what is there is all
 * old, all new, or a mixture that {@link bring} makes either.
 *
 * @param signal aborted before the first file is replaced, nothing has changed; afterwards it is too late
 * @returns whether the files were replaced
 * @throws {UserError} saying what stopped it, and which files could not be taken back, if any
 */
export function replaceFiles(root: string, changes: readonly Change[], signal: AbortSignal): boolean {
  let journal: Journal;
  try {
    journal = store(root, changes);
  } catch (error) {
    rmSync(folderOf(root), { recursive: true, force: true });
    throw new UserError(`cannot write the migration's journal: ${codeOf(error)}`, 'Nothing was changed.');
  }
  const moved = journal.files.find((entry) => !isAt(root, entry, 'before'));
  if (moved || signal.aborted) {
    forget(root, journal);
    if (moved)
      throw new UserError(
        `${moved.path} has changed while it was planned`,
        'Nothing was changed. Run the command again.',
      );
    return false;
  }
  try {
    bring(root, journal, 'after');
  } catch (error) {
    takeBack(root, journal, error);
  }
  finish(root, journal);
  return true;
}

/** Undoes a migration that could not be written to its end, and says why it could not. */
function takeBack(root: string, journal: Journal, error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  try {
    bring(root, journal, 'before');
  } catch {
    const lost = journal.files.filter((entry) => isAt(root, entry, 'after')).map(({ path }) => path);
    throw new UserError(
      error.message,
      `These files are migrated and could not be taken back: ${lost.join(', ')}. Run it with --rollback.`,
    );
  }
  forget(root, journal);
  throw new UserError(error.message, 'Nothing was changed.');
}

function store(root: string, changes: readonly Change[]): Journal {
  rmSync(folderOf(root), { recursive: true, force: true });
  mkdirSync(folderOf(root), { recursive: true });
  const files = changes.map(({ path, before, after }, n) => {
    writeDurably(stored(root, n, 'before'), before);
    writeDurably(stored(root, n, 'after'), after);
    return {
      path: relative(root, realpathSync(path)).split(sep).join('/'),
      before: hashOf(before),
      after: hashOf(after),
    };
  });
  const journal: Journal = { version: 1, state: 'writing', files };
  save(root, journal);
  return journal;
}

/**
 * Gives every file of a migration its old or its new text: those that have the other one are replaced. Where it is cut
 * off, it can be run again, in either direction.
 *
 * @returns the paths of the replaced files
 * @throws {UserError} for a file that has neither text, and for one that cannot be replaced
 */
export function bring(root: string, { files }: Journal, to: Side): string[] {
  const from = to === 'after' ? 'before' : 'after';
  const todo = [...files.entries()].filter(([, entry]) => !isAt(root, entry, to));
  const foreign = todo.filter(([, entry]) => !isAt(root, entry, from));
  if (foreign.length > 0)
    throw new UserError(
      `changed since the migration: ${foreign.map(([, { path }]) => path).join(', ')}`,
      `Nothing was changed now. The texts before and after the migration are in ${folderOf(root)}: ${foreign
        .map(([n]) => `${n}.before`)
        .join(', ')}.`,
    );
  const staged = todo.map(([n, { path }]) => ({ n, target: resolve(root, path) }));
  try {
    for (const { n, target } of staged) stage(stored(root, n, to), target, temporaryOf(target, n));
    // Synchronous, so that no signal handler runs between two renames.
    for (const { n, target } of staged) replace(temporaryOf(target, n), target);
    for (const folder of new Set(staged.map(({ target }) => dirname(target)))) syncFolder(folder);
  } finally {
    tidy(root, files);
  }
  return todo.map(([, { path }]) => path);
}

/** Forgets a migration that left no trace, or was taken back. */
export function forget(root: string, { files }: Journal): void {
  tidy(root, files);
  rmSync(folderOf(root), { recursive: true, force: true });
}

/** Notes that all files are replaced. */
export function finish(root: string, { version, files }: Journal): Journal {
  const journal: Journal = { version, state: 'written', files };
  tidy(root, files);
  save(root, journal);
  return journal;
}

function removeIfEmpty(folder: string): void {
  try {
    rmSync(join(folder, '.gitignore'), { force: true });
    rmdirSync(folder);
  } catch {
    // Another run is in it.
  }
}

/** Removes temporary files that a killed run has left. */
function tidy(root: string, files: readonly Entry[]): void {
  for (const [n, { path }] of files.entries()) rmSync(temporaryOf(resolve(root, path), n), { force: true });
}

function isAt(root: string, entry: Entry, side: Side): boolean {
  try {
    return hashOf(readFileSync(resolve(root, entry.path))) === entry[side];
  } catch {
    return false;
  }
}

function stage(source: string, target: string, temporary: string): void {
  try {
    const { mode } = statSync(target);
    writeDurably(temporary, readFileSync(source));
    // The umask has no say: the file had its mode before.
    chmodSync(temporary, mode & 0o7777);
  } catch (error) {
    throw new UserError(`cannot write beside ${target}: ${codeOf(error)}`);
  }
}

function replace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    throw new UserError(`cannot replace ${target}: ${codeOf(error)}`);
  }
}

function save(root: string, journal: Journal): void {
  const file = join(folderOf(root), 'journal.json');
  writeDurably(`${file}.tmp`, `${JSON.stringify(journal, undefined, 2)}\n`);
  renameSync(`${file}.tmp`, file);
  syncFolder(folderOf(root));
}

function writeDurably(path: string, data: string | Uint8Array): void {
  const fd = openSync(path, 'w');
  try {
    writeFileSync(fd, data);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A rename is on the disk once its folder is (fsync(2)). */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows opens no folders, some file systems sync none: the rename itself is atomic all the same.
  }
}

/** The system's name of what went wrong; anything else is a bug and goes on as it is. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}
