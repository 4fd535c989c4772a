import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile, UserError } from 'owned-spawn/cli';
import { git } from '../check/git.ts';

/** How to take back what was written, as commands of a shell. */
export interface Undo {
  commands: string[];
  /** Files that git cannot bring back: they had changes of their own, or git does not know them. */
  byHand: string[];
}

/**
 * Writes new texts in the place of files, or none of them. A byte order mark stays.
 * @param files texts by their names below `root`
 * @throws {UserError} for a file that cannot be written
 */
export async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<Undo> {
  const undo = await undoOf(root, [...files.keys()]);
  const written: { path: string; before: Buffer | undefined }[] = [];
  for (const [name, text] of files) {
    const path = join(root, name);
    const before = existsSync(path) ? readFileSync(path) : undefined;
    const mark = before?.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? '\uFEFF' : '';
    try {
      mkdirSync(dirname(path), { recursive: true });
      await replaceFile(path, mark + text);
      written.push({ path, before });
    } catch (error) {
      for (const each of written) {
        if (each.before) await replaceFile(each.path, each.before);
        else rmSync(each.path);
      }
      const { code, message } = error as NodeJS.ErrnoException;
      throw new UserError(`${name} cannot be written: ${code ?? message}`, 'Nothing was changed.');
    }
  }
  return undo;
}

async function undoOf(root: string, names: readonly string[]): Promise<Undo> {
  const made = names.filter((name) => !existsSync(join(root, name)));
  const changed = names.filter((name) => !made.includes(name));
  const clean = await Promise.all(changed.map((name) => isClean(root, name)));
  const back = changed.filter((_, i) => clean[i]);
  return {
    commands: [
      ...(back.length > 0 ? [`git restore -- ${back.map(quoted).join(' ')}`] : []),
      ...(made.length > 0 ? [`rm ${made.map(quoted).join(' ')}`] : []),
    ],
    byHand: changed.filter((_, i) => !clean[i]),
  };
}

const quoted = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

/** Whether git has a file just as it is. */
const isClean = async (root: string, name: string): Promise<boolean> =>
  (await git(root, 'ls-files', '--error-unmatch', '--', name)) !== undefined &&
  (await git(root, 'status', '--porcelain', '--', name)) === '';
