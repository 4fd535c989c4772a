import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A git hook runs us with its own repository in these. */
const FOREIGN = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'];

/** What git prints in a folder, which is only read; undefined where it fails or is not installed. */
export async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.includes(name)));
  try {
    // core.fsmonitor names a program, and a repository that is only read must not run one.
    const { stdout } = await promisify(execFile)('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      env,
      maxBuffer: 1 << 30,
    });
    return stdout;
  } catch {
    return undefined;
  }
}
