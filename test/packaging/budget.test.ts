// What the runtime costs a production image: no dependency, and less than 300 kB.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildSync } from 'esbuild';
import { danglingImports } from './dangling-imports.ts';

const BUDGET = 300_000;
const runtime = resolve(import.meta.dirname, '../../runtime');
const { exports, bin, ...manifest } = JSON.parse(readFileSync(join(runtime, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  dependencies?: object;
};
let scratch: string;
let files: string[];

before(() => {
  scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-budget-'));
  // A copy, as other tests run what is built meanwhile.
  const copy = join(scratch, 'runtime');
  for (const name of ['bin', 'dist', 'package.json', 'LICENSE'])
    cpSync(join(runtime, name), join(copy, name), { recursive: true });
  for (const script of ['shrink', 'leave-declarations'])
    execFileSync(process.execPath, [join(runtime, `../scripts/${script}.mjs`)], { cwd: copy });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch];
  execFileSync('npm', pack, { cwd: copy, stdio: 'pipe' });
  execFileSync('sh', ['-c', 'tar xzf *.tgz'], { cwd: scratch });
  files = execFileSync('find', ['package', '-type', 'f'], { cwd: scratch, encoding: 'utf8' })
    .trim()
    .split('\n');
});

after(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** Runs a program beside the packed package, as its user. */
const run = (code: string, type: 'module' | 'commonjs'): string =>
  execFileSync(process.execPath, [`--input-type=${type}`, '-e', code], {
    cwd: join(scratch, 'package'),
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, OWNED_SPAWN_STATE_DIR: scratch },
  });

describe('the packed runtime', () => {
  it(`has less than ${BUDGET / 1000} kB without maps, and no dependency`, () => {
    const sizes = files
      .filter((name) => !name.endsWith('.map'))
      .map((name) => readFileSync(join(scratch, name)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert(total < BUDGET, `${total} bytes`);
    assert.equal(manifest.dependencies, undefined);
  });

  it('does not grow when it is packed again, since tsc writes anew only what has changed', () => {
    const copy = join(scratch, 'runtime');
    execFileSync(process.execPath, [join(runtime, '../scripts/shrink.mjs')], { cwd: copy });
    for (const name of files.filter((each) => each.endsWith('.js')))
      assert.equal(
        statSync(join(copy, name.slice('package/'.length))).size,
        statSync(join(scratch, name)).size,
        name,
      );
  });

  it('has each file that its manifest names', () => {
    const named = [...Object.values(exports), ...Object.values(bin)].flatMap((target) =>
      typeof target === 'string' ? target : [target.types, target.default],
    );
    for (const name of named.filter((each) => !each.includes('*')))
      assert(files.includes(join('package', name)), name);
  });

  it('has each declaration that its declarations import', () => {
    assert.deepEqual(danglingImports(scratch, files), []);
    assert(files.filter((name) => name.endsWith('.d.ts')).length > 10);
  });

  it('gives its names to import and to require alike', () => {
    for (const subpath of Object.keys(exports).filter((name) => exports[name] && !/\*|json/.test(name))) {
      const specifier = join('owned-spawn', subpath);
      const required = run(`console.log(Object.keys(require('${specifier}')).sort().join())`, 'commonjs');
      const imported = run(
        `import * as all from '${specifier}';
        console.log(Object.keys(all).filter((name) => !['default', '__esModule', 'module.exports'].includes(name)).sort().join())`,
        'module',
      );
      assert(required.length > 3, specifier);
      assert.equal(imported, required, specifier);
    }
  });

  const program = `
    import { spawnOwned, killOwned, owned, supervisorStatus } from 'owned-spawn';
    const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
    const before = owned().length + supervisorStatus().state;
    killOwned(child).then(() => console.log(before, child.signalCode, owned().length));`;

  it('still starts, owns and ends a child', () => {
    assert.equal(run(program, 'module'), '1running SIGTERM 0\n');
  });

  for (const format of ['esm', 'cjs'] as const) {
    it(`runs in a bundle that esbuild makes (${format})`, () => {
      const folder = join(scratch, 'package');
      const { outputFiles } = buildSync({
        stdin: { contents: program, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        platform: 'node',
        format,
      });
      const code = outputFiles[0]?.text ?? '';
      assert.equal(run(code, format === 'esm' ? 'module' : 'commonjs'), '1running SIGTERM 0\n');
    });
  }
});
