import { basename, dirname } from 'node:path';
import { UserError } from 'owned-spawn/cli';
import { git } from './git.ts';

/** What git knows of a line. */
export interface LineHistory {
  /** The day, as YYYY-MM-DD in UTC, of the commit that wrote it; null where none has. */
  since: string | null;
  /** Whether a commit up to the given revision wrote it. */
  isOld: boolean;
}

/**
 * Who wrote the given lines of a file in the working tree, by line; lines count from 1.
 * Lines that only moved or changed their indentation keep their age.
 *
 * @param revision the lines that it already holds are old; without one, no line is
 * @returns undefined where git knows nothing of the file: no git, no repository, a file that was never committed
 */
export async function lineHistory(
  path: string,
  lines: readonly number[],
  revision?: string,
): Promise<Map<number, LineHistory> | undefined> {
  const porcelain = await git(
    dirname(path),
    // A list of revisions to ignore that is not in this repository would end the command.
    ...['-c', 'blame.ignoreRevsFile=', 'blame', '--line-porcelain', '-w', '-M', '--no-textconv'],
    ...lines.flatMap((line) => ['-L', `${line},${line}`]),
    ...(revision === undefined ? [] : [`^${revision}`]),
    '--',
    basename(path),
  );
  return porcelain === undefined ? undefined : new Map(porcelain.split(/^\t.*\n/m).flatMap(readEntry));
}

/** One line of `git blame --line-porcelain`: `<hash> <line then> <line now>`, headers, the line behind a tab. */
function readEntry(entry: string): [number, LineHistory][] {
  const [, hash = '', line] = /^([0-9a-f]+) \d+ (\d+)/.exec(entry) ?? [];
  const [, seconds] = /^committer-time (\d+)$/m.exec(entry) ?? [];
  if (line === undefined || seconds === undefined) return [];
  const isCommitted = !/^0+$/.test(hash);
  const since = isCommitted ? new Date(Number(seconds) * 1000).toISOString().slice(0, 10) : null;
  return [[Number(line), { since, isOld: isCommitted && /^boundary$/m.test(entry) }]];
}

/**
 * The commit at which the current branch left a revision.
 * @throws {UserError} where there is no git or no such commit
 */
export async function mergeBase(folder: string, revision: string): Promise<string> {
  if ((await git(folder, 'rev-parse', '--git-dir')) === undefined)
    throw new UserError('--since needs a git repository, and there is none here');
  // A name that begins with a dash would be an option.
  const commit = revision.startsWith('-')
    ? undefined
    : await git(folder, 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  if (commit === undefined) throw new UserError(`--since: git knows no revision "${revision}"`);
  const base = await git(folder, 'merge-base', commit.trim(), 'HEAD');
  if (base === undefined)
    throw new UserError(`--since: "${revision}" and the current branch have no commit in common`);
  return base.trim();
}
