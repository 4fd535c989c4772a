import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What declarations of a package import that is not packed with them, as `file imports other`. */
export function danglingImports(folder: string, files: readonly string[]): string[] {
  return files
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/["'](\.[^"']*)\.ts["']/g)]
        .map(([, target = '']) => join(name, '..', `${target}.d.ts`))
        .filter((target) => !files.includes(target))
        .map((target) => `${name} imports ${target}`),
    );
}
