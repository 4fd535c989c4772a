import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
let project: string;

/** Installs packages of ours into the project: the runtime as a copy, so that it sees none of the repository's others. */
function run(
  argv: string[],
  bin = 'node_modules/owned-spawn/bin/owned-spawn.js',
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, bin), ...argv], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

before(() => {
  project = mkdtempSync(join(tmpdir(), 'owned-spawn-dispatch-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "app", "private": true }');
  const target = join(project, 'node_modules/owned-spawn');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, 'runtime', part), join(target, part), { recursive: true });
});

after(() => {
  rmSync(project, { recursive: true, force: true });
});

describe('owned-spawn', () => {
  it('lists the commands and exits 2 without one', () => {
    const { status, stdout } = run([]);
    assert.equal(status, 2);
    assert.match(stdout, /Usage: owned-spawn <command>[^]*check[^]*migrate[^]*prove/);
  });

  it('exits 0 when the list was asked for', () => {
    assert.equal(run(['--help']).status, 0);
  });

  it('prints its version', () => {
    assert.match(run(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('names the nearest command', () => {
    const { status, stderr } = run(['porve']);
    assert.equal(status, 2);
    assert.match(stderr, /unknown command "porve"\nDid you mean "prove"\?/);
  });

  it('explains a command by itself', () => {
    const { status, stdout } = run(['prove', '--help']);
    assert.equal(status, 0);
    assert.match(stdout, /^owned-spawn prove: [^]*Usage: [^]*Examples:[^]*Exit codes: /);
  });

  it('names the nearest flag, without a stack trace', () => {
    const { status, stderr } = run(['prove', '--jsno']);
    assert.equal(status, 2);
    assert.match(stderr, /owned-spawn prove: unknown flag --jsno\nDid you mean --json\?\n$/);
  });

  const managers: [string, RegExp][] = [
    ['package-lock.json', /npm install -D eslint-plugin-owned-spawn/],
    ['pnpm-lock.yaml', /pnpm add -D eslint-plugin-owned-spawn/],
    ['yarn.lock', /yarn add -D eslint-plugin-owned-spawn/],
    ['bun.lock', /bun add -D eslint-plugin-owned-spawn/],
  ];
  for (const [lockfile, expected] of managers) {
    it(`names the command that installs what is missing, by ${lockfile}`, () => {
      const path = join(project, lockfile);
      writeFileSync(path, '');
      try {
        const { status, stderr } = run(['check']);
        assert.equal(status, 2);
        assert.match(stderr, /"check" is part of eslint-plugin-owned-spawn, which is not installed here/);
        assert.match(stderr, expected);
      } finally {
        rmSync(path);
      }
    });
  }

  it('finds a command next to the invoked bin where the project itself does not see it, as under pnpm', () => {
    // pnpm: the project links the plugin only; the plugin's own dependencies lie beside its real path.
    const nested = join(project, 'store/node_modules');
    mkdirSync(nested, { recursive: true });
    cpSync(join(project, 'node_modules/owned-spawn'), join(nested, 'owned-spawn'), { recursive: true });
    mkdirSync(join(nested, 'eslint-plugin-owned-spawn'));
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(join(root, 'rules', part), join(nested, 'eslint-plugin-owned-spawn', part), { recursive: true });
    }
    const alone = join(project, 'alone/node_modules');
    mkdirSync(alone, { recursive: true });
    symlinkSync(join(nested, 'eslint-plugin-owned-spawn'), join(alone, 'eslint-plugin-owned-spawn'));
    const { status, stdout } = run(
      ['prove', '--help'],
      'alone/node_modules/eslint-plugin-owned-spawn/bin/owned-spawn.js',
    );
    assert.equal(status, 0);
    assert.match(stdout, /^owned-spawn prove: /);
  });
});
