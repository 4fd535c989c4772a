import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencyEdit, type Edit } from 'eslint-plugin-owned-spawn/api';

const RUNTIME = 'owned-spawn';

/** The package.json that a file belongs to; one without a name or dependencies only says how to load what lies beside it. */
export function packageJsonOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && isPackage(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

/** All that may call, or test, what is migrated: the package around a folder, or the folder itself. */
export function packageFolder(base: string): string {
  const manifest = packageJsonOf(join(base, 'x'));
  return manifest === undefined ? base : dirname(manifest);
}

function isPackage(file: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null;
    return (
      manifest === null || 'name' in manifest || 'dependencies' in manifest || 'devDependencies' in manifest
    );
  } catch {
    // Its fault is reported where it is edited.
    return true;
  }
}

/** The range that a project depends on the runtime by. */
export function runtimeRange(): string {
  const path = createRequire(import.meta.url).resolve(`${RUNTIME}/package.json`);
  return `^${(JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version}`;
}

/**
 * The edit that adds the runtime to a package.json's dependencies; none where it needs none.
 *
 * @param text without a byte order mark
 * @throws {SyntaxError} for a text that is no JSON object
 */
export const runtimeEdit = (text: string, range: string): Edit | undefined =>
  dependencyEdit(text, { name: RUNTIME, range, kind: 'dependencies' });
