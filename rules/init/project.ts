import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageManager, UserError } from 'owned-spawn/cli';
import { CONFIG_NAMES } from '../check/config.ts';
import type { Project } from './outcome.ts';

const LEGACY = ['', '.js', '.cjs', '.yaml', '.yml', '.json'].map((extension) => `.eslintrc${extension}`);

/** A project, what of it is to be written, and its ESLint config. */
export interface FoundProject extends Project {
  /** The name of its ESLint config; undefined where it has none. */
  config: string | undefined;
  /** New texts by name, as accepted so far. */
  pending: Map<string, string>;
}

/** The folders from one up to the root of its repository, or of the disk. */
function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, '.git')) ? [folder] : [folder, ...upwards(parent)];
}

/**
 * The project of a folder: where its ESLint config lies, else its package.json.
 * @throws {UserError} where ESLint is configured in the old way
 */
export function findProject(cwd: string): FoundProject {
  const folders = upwards(cwd);
  const configOf = (folder: string): string | undefined =>
    CONFIG_NAMES.find((name) => existsSync(join(folder, name)));
  const root =
    folders.find((folder) => configOf(folder) !== undefined) ??
    folders.find((folder) => existsSync(join(folder, 'package.json'))) ??
    cwd;
  const config = configOf(root);
  const pending = new Map<string, string>();
  const project: FoundProject = {
    root,
    config,
    pending,
    manager: packageManager(root),
    read: (name) => pending.get(name) ?? readText(join(root, name)),
    list: (folder) => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []),
  };
  if (config === undefined) refuseLegacy(project);
  return project;
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : undefined;
}

function refuseLegacy({ read, root }: Project): void {
  const manifest = manifestOf(read('package.json'));
  const old =
    LEGACY.find((name) => existsSync(join(root, name))) ?? ('eslintConfig' in manifest && 'package.json');
  if (!old) return;
  throw new UserError(
    `this project is configured for ESLint by ${old}, which is the format that ESLint 9 gave up; our plugin needs a flat config`,
    `Convert it: npx @eslint/migrate-config ${old}   then run init again. owned-spawn check works without any config.`,
  );
}

/** The members of a package.json; none where there is none, or where it does not parse: who edits it says so. */
export function manifestOf(text: string | undefined): Record<string, unknown> {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Whether a package.json of the project, or of the folders above it, depends on a package. */
export function dependsOn({ root, read }: Project, name: string): boolean {
  return upwards(root).some((folder) => {
    const manifest = manifestOf(
      folder === root ? read('package.json') : readText(join(folder, 'package.json')),
    );
    return Object.entries(manifest).some(
      ([key, value]) =>
        /dependencies$/i.test(key) && typeof value === 'object' && value !== null && name in value,
    );
  });
}
