import { realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { UserError } from 'owned-spawn/cli';
import { DIFF, readDiff, type Changes } from './changes.ts';
import { isOutside, isSource, type SourceFile } from './files.ts';
import { git, gitOnIndex } from './git.ts';

/** What the next commit would hold. */
export interface Staged {
  /** The source files that it changes. */
  files: SourceFile[];
  /** The text of a file as it is staged, where the working tree has another; undefined elsewhere. */
  contentOf: (path: string) => string | undefined;
  changes: Changes;
}

/**
 * What is staged below some paths: files, their texts and the lines that change. Paths that are not there are passed over,
 * since a hook may name files that the commit deletes.
 *
 * @throws {UserError} where there is no git repository
 */
export async function stagedIn(paths: readonly string[], cwd: string): Promise<Staged> {
  const top = (await git(cwd, 'rev-parse', '--show-toplevel'))?.replace(/\n$/, '');
  if (top === undefined) throw new UserError('--staged needs a git repository, and there is none here');
  const ask = (...args: string[]): Promise<string | undefined> => gitOnIndex(top, ...args);
  const names = async (...args: string[]): Promise<string[]> =>
    ((await ask(...args)) ?? '').split('\0').filter((name) => name !== '' && isSource(name));
  // Named as the caller names the current folder, though git follows symbolic links.
  const here = realpathSync(cwd);
  const pathOf = (name: string): string => join(cwd, relative(here, join(top, name)));
  const roots = (paths.length > 0 ? paths : ['.']).map((path) => resolve(cwd, path));
  const isAsked = (path: string): boolean =>
    roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));

  const staged = await names('diff', '--cached', '--name-only', '--diff-filter=ACMRT', '-z');
  const files = staged
    .filter((name) => !isOutside(name))
    .map((name) => ({ path: pathOf(name), explicit: false }))
    .filter(({ path }) => isAsked(path));
  const differing = await names('diff', '--name-only', '-z');
  const texts = await Promise.all(differing.map((name) => ask('cat-file', '--filters', `:0:${name}`)));
  const contents = new Map(differing.map((name, i) => [pathOf(name), texts[i]]));
  const diff = readDiff((await ask('-c', 'core.quotePath=false', 'diff', '--cached', ...DIFF)) ?? '');
  const changed = new Map([...diff].map(([name, changes]) => [resolve(top, name), changes]));
  return { files, contentOf: (path) => contents.get(path), changes: (path) => changed.get(path) };
}
