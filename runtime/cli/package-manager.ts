import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How a package manager is told what we need of it. */
export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  lockfiles: readonly string[];
  /** Adds a package to the dependencies. */
  add: string;
  /** Runs an installed command, and never fetches one. */
  exec: string;
  /** Installs what the lockfile says, and fails where it is out of date. */
  install: string;
}

const MANAGERS: readonly PackageManager[] = [
  {
    name: 'pnpm',
    lockfiles: ['pnpm-lock.yaml'],
    add: 'pnpm add',
    exec: 'pnpm exec',
    install: 'pnpm install --frozen-lockfile',
  },
  {
    name: 'yarn',
    lockfiles: ['yarn.lock'],
    add: 'yarn add',
    exec: 'yarn',
    install: 'yarn install --frozen-lockfile',
  },
  {
    name: 'bun',
    lockfiles: ['bun.lock', 'bun.lockb'],
    add: 'bun add',
    exec: 'bunx --no-install',
    install: 'bun install --frozen-lockfile',
  },
];

const NPM: PackageManager = {
  name: 'npm',
  lockfiles: ['package-lock.json'],
  add: 'npm install',
  exec: 'npx --no-install',
  install: 'npm ci',
};

/** The package manager whose lockfile lies nearest above a folder; npm where there is none. */
export function packageManager(cwd: string): PackageManager {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = [...MANAGERS, NPM].find(({ lockfiles }) =>
      lockfiles.some((name) => existsSync(join(folder, name))),
    );
    if (found || folder === dirname(folder)) return found ?? NPM;
  }
}

/** The command that adds a package, by the package manager of a folder. */
export const installCommand = (cwd: string, name: string, dev: boolean): string =>
  `${packageManager(cwd).add} ${dev ? '-D ' : ''}${name}`;
