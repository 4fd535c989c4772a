import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtRuntime, familyOf, type Family, type Owner } from './processes.ts';

/** The folder of the cases' programs. */
export const inputs = fileURLToPath(new URL('../cases/inputs', import.meta.url));
const IMPORT = `import { spawn } from 'node:child_process';`;

/** The change that moves a program onto the runtime. */
export const moved = (...names: string[]): [string, string] => [
  IMPORT,
  `import { ${names.join(', ')} } from '${builtRuntime()}';`,
];

/** A program of the cases, as it is or with texts replaced in one of its files, in a family of its own. */
export function program(
  t: TestContext,
  id: string,
  replacements: [from: string, to: string][] = [],
  entry = 'owner.mjs',
): { family: Family; file: string } {
  const family = familyOf(t);
  cpSync(join(inputs, id), family.folder, { recursive: true });
  const file = join(family.folder, entry);
  const text = replacements.reduce(
    (before, [from, to]) => {
      assert(before.includes(from), `${id} has ${from}`);
      return before.replaceAll(from, to);
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
  return { family, file };
}

/** The same, started. */
export function run(
  t: TestContext,
  id: string,
  replacements?: [from: string, to: string][],
  entry?: string,
): { family: Family; owner: Owner } {
  const { family, file } = program(t, id, replacements, entry);
  return { family, owner: family.start(process.execPath, [file]) };
}
