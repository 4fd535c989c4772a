import { runSteps, type Steps } from './steps.ts';

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Whether the bytes are on the disk when it is done (fsync of file and folder); true by default. */
  durable?: boolean;
  /** The name beside the target under which the new file is written; a random one by default. */
  temporary?: (target: string) => string;
}

/**
 * Puts new content in a file's place, so that a reader, and whoever finds it after a crash at any moment, sees all of the
 * old or all of the new. A symbolic link stays one and its target is replaced; mode and owner are kept.
 * @throws the error of the call that failed; the old file is then untouched
 */
export const replaceFile = (
  path: string,
  data: string | Uint8Array,
  options: ReplaceOptions = {},
): Promise<void> => runSteps(replaceSteps(path, data, options));

/**
 * The steps of {@link replaceFile}. Holds no reference to its module: hosts get its source.
 * A bind-mounted file cannot be renamed over (EBUSY, rename(2)): it is written in place, which is not atomic.
 */
export function* replaceSteps(
  path: string,
  data: string | Uint8Array,
  { durable = true, temporary }: ReplaceOptions,
): Steps<void> {
  const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';
  const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '') || '.';
  let target = path;
  try {
    target = yield ['realpath', path];
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    try {
      // A link to a file that is not there yet.
      const link: string = yield ['readlink', path];
      target = /^([/\\]|\w:)/.test(link) ? link : folderOf(path).replace(/^\.$/, '') + link;
    } catch {
      // No file and no link.
    }
  }
  let known: { mode: number; uid: number; gid: number } | undefined;
  try {
    known = yield ['stat', target];
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }

  const next =
    temporary?.(target) ?? `${target}.${process.pid}.${Math.random().toString(36).slice(2, 12)}.tmp`;
  try {
    const file: number = yield ['open', next, 'wx', known ? known.mode & 0o777 : 0o666];
    try {
      if (known) {
        try {
          yield ['fchown', file, known.uid, known.gid];
        } catch {
          // Only root may give files away; the file then belongs to who wrote it.
        }
        // After the owner: chown clears the set-id bits (chown(2)); and umask(2) had its say at open.
        yield ['fchmod', file, known.mode & 0o7777];
      }
      yield ['writeFile', file, data];
      if (durable) yield ['fsync', file];
    } finally {
      yield ['close', file];
    }
    for (let tries = 1; ; tries++) {
      try {
        yield ['rename', next, target];
        break;
      } catch (error) {
        const code = codeOf(error);
        // Windows: a virus scanner or a reader has it open, for a moment.
        const mayPass = process.platform === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(code);
        if (mayPass && tries < 6) yield ['sleep', tries * 10];
        else if (mayPass || code === 'EBUSY' || code === 'EXDEV') {
          yield ['writeFile', target, data];
          yield ['unlink', next];
          break;
        } else throw error;
      }
    }
  } catch (error) {
    try {
      yield ['unlink', next];
    } catch {
      // It was never made.
    }
    throw error;
  }
  if (!durable) return;
  try {
    const folder: number = yield ['open', folderOf(target), 'r'];
    try {
      yield ['fsync', folder];
    } finally {
      yield ['close', folder];
    }
  } catch {
    // Windows opens no folders, some file systems sync none: the rename itself is atomic all the same.
  }
}

/**
 * Removes the temporary files of writers of this file that were killed: such that are older than ten seconds and whose
 * process is gone. Holds no reference to its module: hosts get its source.
 */
export function* sweepSteps(target: string): Steps<void> {
  const folder = target.replace(/[^/\\]*$/, '') || '.';
  const name = target.slice(folder === '.' ? 0 : folder.length);
  try {
    const entries: string[] = yield ['readdir', folder];
    for (const entry of entries) {
      if (!entry.startsWith(`${name}.`)) continue;
      const pid = /^\.(\d+)\.\w+\.tmp$/.exec(entry.slice(name.length))?.[1];
      if (pid === undefined) continue;
      try {
        process.kill(Number(pid), 0);
      } catch (error) {
        const path = folder === '.' ? entry : folder + entry;
        const { mtimeMs }: { mtimeMs: number } = yield ['stat', path];
        const isLeft = (error as { code?: string }).code === 'ESRCH' && Date.now() - mtimeMs > 10_000;
        if (isLeft) yield ['unlink', path];
      }
    }
  } catch {
    // Litter is no reason not to write.
  }
}
