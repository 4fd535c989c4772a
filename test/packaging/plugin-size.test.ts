import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { danglingImports } from './dangling-imports.ts';

interface Packed {
  unpackedSize: number;
  files: { path: string }[];
}

/** What CONTRIBUTING.md promises, in bytes; the pages are about a fifth of it. */
const BUDGET = 1_100_000;
const rules = resolve(import.meta.dirname, '../../rules');

describe('the packed plugin', () => {
  let packed: Packed;

  before(() => {
    const json = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: rules, encoding: 'utf8' });
    // An array up to npm 10, an object by name since.
    packed =
      Object.values(JSON.parse(json) as Record<string, Packed>)[0] ?? assert.fail('nothing was packed');
  });

  it(`is under ${BUDGET / 1000} kB unpacked`, () => {
    assert.ok(packed.unpackedSize < BUDGET, `${packed.unpackedSize} bytes`);
  });

  it('holds code, pages, its licence and changelog, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => !/^(bin\/owned-spawn\.js|dist\/.*\.(js|d\.ts)|docs\/.*\.md)$/.test(path)).sort(),
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
    );
    assert.ok(paths.includes('docs/rules/no-detached-spawn.md'));
  });

  it('has the declarations that lead to others, and no more', () => {
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(danglingImports(rules, paths), []);
    for (const entry of ['index', 'api', 'commands/check']) assert.ok(paths.includes(`dist/${entry}.d.ts`));
    assert.ok(!paths.includes('dist/init/steps.d.ts'));
  });
});
