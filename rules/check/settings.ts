import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ESLint, Linter } from 'eslint';
import { nearest, UserError } from 'owned-spawn/cli';
import { loopTable } from '../apis/loop-table.ts';
import { processTable, type SpawnSettings } from '../apis/tables.ts';
import plugin from '../index.ts';
import { configFinder } from './config.ts';
import type { SourceFile } from './files.ts';

/**
 * Lifts ESLint's own limits: a folder that it ignores was asked for, and what it leaves out unless a config names it
 * (TypeScript, JSX) holds what everybody else is checked for.
 */
export const ANY_FILE: readonly Linter.Config[] = [
  { ignores: ['!**/node_modules/', '!.git/'] },
  { files: ['**/*.{ts,tsx,mts,cts,jsx}'] },
];

/**
 * The config of one file; undefined where it has no say about the file.
 * @throws {UserError} for a config that does not load or whose settings are wrong
 */
export async function configOf(
  eslint: ESLint,
  path: string,
  configFile: string | undefined,
): Promise<Linter.Config | undefined> {
  try {
    if (await eslint.isPathIgnored(path)) return undefined;
    const config = (await eslint.calculateConfigForFile(path)) as Linter.Config | undefined;
    processTable(config?.settings?.['owned-spawn']);
    loopTable(config?.settings?.['owned-spawn'] as object | undefined);
    return config;
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UserError(
      `the ESLint config ${configFile ?? '(built in)'} is of no use: ${why ?? ''}`,
      meantRule(why ?? ''),
    );
  }
}

/** The rule of ours that a config most likely meant by a name that is none. */
function meantRule(why: string): string | undefined {
  const [, wrong] = /Could not find "([^"]+)" in plugin/.exec(why) ?? [];
  const near = wrong === undefined ? undefined : nearest(wrong, Object.keys(plugin.rules));
  return near && `Did you mean "${near}"?`;
}

/**
 * The path of a config that is to count for all files.
 * @throws {UserError} for one that is not there
 */
export function forcedConfig(config: string | undefined, cwd: string): string | undefined {
  if (config === undefined) return undefined;
  const path = resolve(cwd, config);
  if (!existsSync(path)) throw new UserError(`the config ${config} does not exist`);
  return path;
}

/**
 * Finds the settings that the user's config has for a file, as `check` does.
 *
 * @param base the folder that the patterns of a forced config are relative to
 * @param forced the path of a config to use for all files
 * @returns a function of a file; undefined means that the config has no say about it. No config means no settings.
 */
export function settingsFinder(
  base: string,
  forced?: string,
): (file: SourceFile) => Promise<SpawnSettings | undefined> {
  const find = fileConfigs(base, forced);
  return async (file) => {
    const config = await find(file);
    return config && (config.settings?.['owned-spawn'] ?? {});
  };
}

/** As {@link settingsFinder}, with all that the config says of a file; an empty one where there is none. */
export function fileConfigs(
  base: string,
  forced?: string,
): (file: SourceFile) => Promise<Linter.Config | undefined> {
  const find = configFinder();
  const known = new Map<string, Promise<ESLint>>();
  return async ({ path, explicit }) => {
    const configFile = forced ?? find(dirname(path));
    if (configFile === undefined) return {};
    const key = `${String(explicit)} ${configFile}`;
    const eslint = known.get(key) ?? loaded(configFile, forced ? base : dirname(configFile), !explicit);
    known.set(key, eslint);
    return configOf(await eslint, path, configFile);
  };
}

/** Imported on demand: most projects that are migrated have no config of ours. */
async function loaded(overrideConfigFile: string, cwd: string, ignore: boolean): Promise<ESLint> {
  const { ESLint: Loaded } = await import('eslint');
  return new Loaded({ cwd, ignore, overrideConfigFile, overrideConfig: [...ANY_FILE] });
}
