import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve, dirname } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** Every import of a folder's sources: the importing file, what it names, and the folder that a relative path leads to. */
function imports(folder: string): { file: string; specifier: string; to: string | undefined }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(dist|node_modules)\//.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(join(root, file), 'utf8');
      return ts.preProcessFile(text).importedFiles.map(({ fileName: specifier }) => ({
        file,
        specifier,
        to: specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : undefined,
      }));
    });
}

const layers: Record<string, (specifier: string) => boolean> = {
  // node:sqlite, whose types the runtime names, is no builtin of Node 20.
  runtime: (specifier) => specifier.startsWith('node:') || isBuiltin(specifier),
  rules: (specifier) =>
    isBuiltin(specifier) ||
    specifier === 'owned-spawn/cli' ||
    !/^(owned-spawn|eslint-plugin-owned-spawn)/.test(specifier),
  codemods: (specifier) =>
    isBuiltin(specifier) ||
    ['owned-spawn', 'owned-spawn/cli', 'eslint-plugin-owned-spawn/api'].includes(specifier) ||
    !/^(owned-spawn|eslint-plugin-owned-spawn)/.test(specifier),
};

describe('imports go one way', () => {
  for (const [folder, allowed] of Object.entries(layers)) {
    it(`${folder}/ imports only what it may`, () => {
      const found = imports(folder);
      assert.ok(found.length > 0);
      assert.deepEqual(
        found.filter(({ specifier, to }) =>
          to === undefined ? !allowed(specifier) : !to.startsWith(`${folder}/`),
        ),
        [],
      );
    });
  }
});
