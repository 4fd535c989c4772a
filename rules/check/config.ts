import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The names that ESLint looks for, in its order. */
export const CONFIG_NAMES = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
  (extension) => `eslint.config.${extension}`,
);

/**
 * Finds the ESLint config of a folder's files: the nearest above, if its text names our plugin.
 * Another is not run: it cannot turn our rules on, and need not be installed here.
 *
 * @returns a function of an absolute folder; undefined means the built-in config. It keeps what it has read.
 */
export function configFinder(): (folder: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (folder: string): string | undefined => {
    const config = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (config !== undefined)
      return readFileSync(config, 'utf8').includes('owned-spawn') ? config : undefined;
    return dirname(folder) === folder ? undefined : cached(dirname(folder));
  };
  const cached = (folder: string): string | undefined => {
    if (!known.has(folder)) known.set(folder, find(folder));
    return known.get(folder);
  };
  return cached;
}
