import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { baseOf, shownPath, sourceFiles } from '../../rules/check/files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function lay(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
}
const git = (folder: string, ...args: string[]): void => {
  execFileSync('git', args, { cwd: join(root, folder), stdio: 'pipe' });
};
const found = async (paths: string[] = ['.'], ignored = false): Promise<string[]> =>
  (await sourceFiles(paths, root, ignored)).map(({ path }) => shownPath(path, root));

describe('sourceFiles', () => {
  it('takes every kind of source, dist and build included, and no declarations', async () => {
    lay(
      'a.js',
      'b.mjs',
      'c.cjs',
      'd.jsx',
      'e.ts',
      'f.mts',
      'g.cts',
      'h.tsx',
      'i.vue',
      'dist/j.js',
      'build/k.js',
    );
    lay(
      'l.d.ts',
      'm.d.mts',
      'n.json',
      'README',
      'node_modules/p/index.js',
      '.git/hook.js',
      'src/node_modules/q/index.js',
      '.pnp.cjs',
      '.pnp.loader.mjs',
      '.yarn/releases/yarn-4.18.1.cjs',
    );
    assert.deepEqual(await found(), [
      ...[
        'a.js',
        'b.mjs',
        'build/k.js',
        'c.cjs',
        'd.jsx',
        'dist/j.js',
        'e.ts',
        'f.mts',
        'g.cts',
        'h.tsx',
        'i.vue',
      ],
    ]);
  });

  it('leaves out what git ignores, unless asked for', async () => {
    lay('a.js', 'out/b.js', 'packages/x/c.js', 'packages/x/out/d.js');
    writeFileSync(join(root, '.gitignore'), 'out\n');
    git('.', 'init', '-q');
    assert.deepEqual(await found(), ['a.js', 'packages/x/c.js']);
    assert.deepEqual(await found(['packages/x']), ['packages/x/c.js']);
    assert.deepEqual(await found(['.'], true), [
      'a.js',
      'out/b.js',
      'packages/x/c.js',
      'packages/x/out/d.js',
    ]);
  });

  it('takes an ignored folder or file that was named', async () => {
    lay('out/sub/b.js', 'out/c.js');
    writeFileSync(join(root, '.gitignore'), 'out\n');
    git('.', 'init', '-q');
    assert.deepEqual(await found(['out']), ['out/c.js', 'out/sub/b.js']);
    assert.deepEqual(await found(['out/sub']), ['out/sub/b.js']);
    assert.deepEqual(await found(['out/c.js']), ['out/c.js']);
    assert.deepEqual(await found(), []);
  });

  it('takes tracked files that an ignore pattern matches, and none that were deleted', async () => {
    lay('a.js', 'gone.js', 'kept/b.js');
    git('.', 'init', '-q');
    git('.', 'add', '.');
    writeFileSync(join(root, '.gitignore'), 'kept/b.js\n');
    rmSync(join(root, 'gone.js'));
    assert.deepEqual(await found(), ['a.js', 'kept/b.js']);
  });

  it('looks into repositories within repositories and within plain folders', async () => {
    lay('plain/a.js', 'plain/inner/b.js', 'plain/inner/out/c.js');
    writeFileSync(join(root, 'plain/inner/.gitignore'), 'out\n');
    git('plain/inner', 'init', '-q');
    assert.deepEqual(await found(), ['plain/a.js', 'plain/inner/b.js']);
    git('plain', 'init', '-q');
    assert.deepEqual(await found(), ['plain/a.js', 'plain/inner/b.js']);
  });

  it('enters no loop of links and takes no file twice', async () => {
    lay('src/a.js');
    symlinkSync('..', join(root, 'src/up'));
    symlinkSync('a.js', join(root, 'src/b.js'));
    assert.deepEqual(await found(['.', 'src', 'src/a.js']), ['src/a.js']);
  });

  it('takes a file of any name that was named', async () => {
    lay('bin/tool');
    assert.deepEqual(await sourceFiles(['bin/tool'], root, false), [
      { path: join(root, 'bin/tool'), explicit: true },
    ]);
  });

  it('names a path that does not exist', async () => {
    await assert.rejects(found(['src']), { name: 'UserError', message: 'src does not exist' });
  });
});

describe('baseOf', () => {
  it('is the one folder that was given, else the current one', () => {
    lay('src/a.js');
    assert.equal(baseOf(['src'], root), join(root, 'src'));
    assert.equal(baseOf(['src/a.js'], root), root);
    assert.equal(baseOf(['src', 'src'], root), root);
  });
});
