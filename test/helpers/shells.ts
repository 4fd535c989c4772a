import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A shell that can be /bin/sh somewhere. */
export interface Shell {
  name: string;
  file: string;
  /** What comes before -c. */
  args: string[];
}

/** The first file of that name on the PATH. */
export function which(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The name under which the shell must be started. */
export const argv0 = (name: string): string => (name === 'busybox' ? 'busybox' : 'sh');

/** The POSIX shells of this machine; bash must be started under the name sh, or it reads ~/.bashrc when its stdin is a socket. */
export const shells: Shell[] = ['dash', 'busybox', 'bash', 'mksh', 'ksh93'].flatMap((name) => {
  const file = which(name);
  if (!file) return [];
  const args = name === 'busybox' ? ['sh'] : [];
  return spawnSync(file, [...args, '-c', 'exit 7'], { argv0: argv0(name) }).status === 7
    ? [{ name, file, args }]
    : [];
});
