import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** A git hook runs us with its own repository in these. */
const FOREIGN = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'];

/** What git prints in a folder, which is only read; undefined where it fails or is not installed. */
export const git = (folder: string, ...args: string[]): Promise<string | undefined> => run(folder, args, {});

/**
 * The same, on the index that a hook is given: `git commit -a` and `git commit FILE` make one of their own.
 * @param top the top folder of the working tree, which the index's name is relative to
 */
export function gitOnIndex(top: string, ...args: string[]): Promise<string | undefined> {
  const { GIT_INDEX_FILE: index } = process.env;
  return run(top, args, index === undefined ? {} : { GIT_INDEX_FILE: resolve(top, index) });
}

async function run(
  folder: string,
  args: readonly string[],
  extra: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.includes(name));
  try {
    // core.fsmonitor names a program, and a repository that is only read must not run one.
    const { stdout } = await promisify(execFile)('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      env: { ...Object.fromEntries(own), ...extra },
      maxBuffer: 1 << 30,
    });
    return stdout;
  } catch {
    return undefined;
  }
}
