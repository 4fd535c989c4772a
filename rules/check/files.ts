import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from 'owned-spawn/cli';
import { git } from './git.ts';

/** A file to check. */
export interface SourceFile {
  /** Absolute. */
  path: string;
  /** Named on the command line, so that no heuristic may skip it. */
  explicit: boolean;
}

const SOURCE = /\.([cm]?[jt]s|[jt]sx|vue|svelte|astro)$/;
const DECLARATION = /\.d\.[cm]?ts$/;
/** What Yarn writes beside the package.json, to be committed; `.yarn` holds Yarn itself. */
const PLUG_AND_PLAY = /(?:^|[\\/])\.pnp\.(?:c?js|loader\.mjs)$/;
const OUTSIDE = new Set(['node_modules', '.git', '.yarn']);

/** Whether the extension is one of JavaScript or TypeScript; others need a config that brings their parser. */
export const isScript = (path: string): boolean => !/\.(vue|svelte|astro)$/.test(path);

/**
 * Every source file below the paths, in the order of their names, each once.
 *
 * Below a folder: what git does not ignore; all files where there is no git or where it ignores the folder itself.
 * Symbolic links are not followed, as git does not: their targets are found where they lie, and no loop can be entered.
 *
 * @param ignored take what git ignores too
 * @throws {UserError} for a path that does not exist or is neither file nor folder
 */
export async function sourceFiles(
  paths: readonly string[],
  cwd: string,
  ignored: boolean,
): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const given of paths) {
    const path = resolve(cwd, given);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new UserError(`${given} does not exist`);
    if (stat.isDirectory()) {
      for (const each of await below(path, ignored))
        if (!found.has(each)) found.set(each, { path: each, explicit: false });
    } else if (stat.isFile()) found.set(path, { path, explicit: true });
    else throw new UserError(`${given} is neither a file nor a folder`);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The folder that reports are relative to: the one path given, if it is a folder, else the current one. */
export function baseOf(paths: readonly string[], cwd: string): string {
  const only = paths.length === 1 ? resolve(cwd, paths[0] ?? '.') : cwd;
  return statSync(only, { throwIfNoEntry: false })?.isDirectory() ? only : cwd;
}

/** A path as reports write it: relative to the base, with `/`. */
export const shownPath = (path: string, base: string): string =>
  relative(base, path).split(sep).join('/') || basename(path);

/** Whether a file is one to check, by its name. */
export const isSource = (path: string): boolean =>
  SOURCE.test(path) && !DECLARATION.test(path) && !PLUG_AND_PLAY.test(path);

/** Whether a path, as git names it, leads through a folder that holds nobody's sources. */
export const isOutside = (name: string): boolean => name.split('/').some((part) => OUTSIDE.has(part));

async function below(folder: string, ignored: boolean): Promise<string[]> {
  const listed = ignored ? undefined : await listedByGit(folder);
  if (listed === undefined) return walked(folder, ignored);
  const files: string[] = [];
  for (const name of listed) {
    if (isOutside(name)) continue;
    const path = join(folder, name);
    // Deleted files are still in git's index.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // Another repository: a submodule, or a clone that nobody added.
    if (stat?.isDirectory()) files.push(...(await below(path, ignored)));
    else if (stat?.isFile() && isSource(path)) files.push(path);
  }
  return files;
}

async function walked(folder: string, ignored: boolean): Promise<string[]> {
  const files: string[] = [];
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Reading it as a file fails in the same way, and is reported there.
    return [folder];
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isSource(path)) files.push(path);
    if (!entry.isDirectory() || OUTSIDE.has(entry.name)) continue;
    // A clone in a folder that is none has ignore rules of its own.
    const nested = existsSync(join(path, '.git')) ? below : walked;
    files.push(...(await nested(path, ignored)));
  }
  return files;
}

/** What git tracks or would add below a folder, relative to it; undefined where it cannot say or ignores the folder. */
async function listedByGit(folder: string): Promise<string[] | undefined> {
  if (!insideRepository(folder)) return undefined;
  if ((await git(folder, 'check-ignore', '-q', '.')) !== undefined) return undefined;
  return (await git(folder, 'ls-files', '-co', '--exclude-standard', '-z'))
    ?.split('\0')
    .filter((name) => name !== '');
}

function insideRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && insideRepository(dirname(folder));
}
