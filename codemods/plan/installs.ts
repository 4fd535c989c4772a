import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageManager } from 'owned-spawn/cli';

/** A command that installs what the manifests ask for, and the folder to run it in. */
export interface Install {
  folder: string;
  command: string;
}

/** How to install the runtime for some manifests: once for each lockfile, by the package manager that it is of. */
export function installs(manifests: readonly string[]): Install[] {
  const found = new Map<string, Install>();
  for (const manifest of manifests) {
    const { name, lockfiles } = packageManager(dirname(manifest));
    const folder = folderWith(lockfiles, dirname(manifest)) ?? dirname(manifest);
    found.set(folder, { folder, command: `${name} install` });
  }
  return [...found.values()];
}

function folderWith(names: readonly string[], from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether code beside a file finds the runtime. */
export function hasRuntime(file: string): boolean {
  try {
    createRequire(file).resolve('owned-spawn');
    return true;
  } catch {
    return false;
  }
}
