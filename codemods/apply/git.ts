import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';

/** The top folder of the repository that a file lies in. */
export function repositoryOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** What stands in the way of undoing a migration by git. */
export interface GitState {
  /** Changed tracked files anywhere in the repositories, and those of the given files that git does not know. */
  dirty: string[];
  /** Some of the given files lie in no repository, or git cannot be run. */
  outside: boolean;
}

/** Looks whether git could bring the given files back. */
export async function gitState(paths: readonly string[]): Promise<GitState> {
  const state: GitState = { dirty: [], outside: false };
  const repositories = new Map<string, string[]>();
  for (const path of paths.map((each) => realpathSync(each))) {
    const top = repositoryOf(path);
    if (top === undefined) state.outside = true;
    else repositories.set(top, [...(repositories.get(top) ?? []), path]);
  }
  for (const [top, files] of repositories) {
    const entries = await status(top);
    if (!entries) state.outside = true;
    const mine = new Set(files.map((file) => relative(top, file).split(sep).join('/')));
    const isUnknown = (entry: string): boolean => entry.startsWith('?? ');
    const dirty = (entries ?? []).filter((entry) => !isUnknown(entry) || mine.has(entry.slice(3)));
    state.dirty.push(...dirty.map((entry) => entry.slice(3)));
  }
  return state;
}

/** `git status`, an entry a file; undefined where git cannot be run. */
async function status(top: string): Promise<string[] | undefined> {
  // A git hook runs us with its own repository in these.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name)),
  );
  try {
    // core.fsmonitor names a program, and a repository that is only looked at must not run one.
    const options = [
      '-c',
      'core.fsmonitor=false',
      '--no-optional-locks',
      'status',
      '--porcelain',
      '-z',
      '-uall',
      '--no-renames',
    ];
    const { stdout } = await promisify(execFile)('git', options, { cwd: top, env, maxBuffer: 1 << 30 });
    return stdout.split('\0').filter((entry) => entry !== '');
  } catch {
    return undefined;
  }
}
