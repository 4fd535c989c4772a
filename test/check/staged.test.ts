import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { CheckProject } from '../helpers/check-project.ts';

const bin = resolve(import.meta.dirname, '../../rules/bin/owned-spawn.js');
const IMPORT = "import { spawn } from 'node:child_process';\n";
const spawn = (name: string): string => `spawn('${name}', [], { detached: true });\n`;
const STAGED = ['--staged'] as const;

function committed(files: Readonly<Record<string, string>>): CheckProject {
  const project = new CheckProject(files);
  project.git('init', '-q', '-b', 'main');
  project.commit('old');
  return project;
}

describe('check --staged', () => {
  it('takes the text that is staged, not the one on the disk', async () => {
    using project = committed({ 'a.js': IMPORT, 'b.js': IMPORT, 'c.js': IMPORT });
    // Staged with a spawn, mended on the disk.
    project.lay({ 'a.js': IMPORT + spawn('new') });
    project.git('add', 'a.js');
    project.lay({ 'a.js': IMPORT });
    // Staged without one, spoilt on the disk.
    project.lay({ 'b.js': `${IMPORT}// fine\n` });
    project.git('add', 'b.js');
    project.lay({ 'b.js': `${IMPORT}// fine\n${spawn('later')}` });
    // Staged, and gone from the disk.
    project.lay({ 'c.js': IMPORT + spawn('new') });
    project.git('add', 'c.js');
    project.remove('c.js');
    project.lay({ 'unknown.js': IMPORT + spawn('untracked') });
    assert.deepEqual(await project.places(STAGED), ['a.js:2', 'c.js:2']);
    assert.equal((await project.check(STAGED)).code, 1);
    assert.deepEqual(await project.places([...STAGED, 'b.js', 'unknown.js', 'nowhere.js']), []);
  });

  it('reports what the commit adds or touches, and what loses its marker', async () => {
    const marker = '// detached-spawn: ok — the updater replaces us while we are gone\n';
    using project = committed({ 'a.js': IMPORT + spawn('old'), 'b.js': IMPORT + marker + spawn('old') });
    project.lay({
      'a.js': `${IMPORT}${spawn('old')}${marker}${spawn('excused')}`,
      'b.js': IMPORT + spawn('old'),
    });
    project.git('add', '-A');
    assert.deepEqual(await project.places(STAGED), ['b.js:2']);
    project.lay({ 'a.js': IMPORT + spawn('edited') });
    project.git('add', '-A');
    assert.deepEqual(await project.places(STAGED), ['a.js:2', 'b.js:2']);
  });

  it('works for the first commit, and for none', async () => {
    using project = new CheckProject({ 'a.js': IMPORT + spawn('a') });
    project.git('init', '-q');
    assert.deepEqual(await project.places(STAGED), []);
    assert.deepEqual(await project.check([...STAGED, '--format', 'github']), { code: 0, out: '', err: '' });
    project.git('add', '-A');
    assert.deepEqual(await project.places(STAGED), ['a.js:2']);
  });

  it('follows calls into files as they are staged', async () => {
    const call = `import { load } from './load.js';
export async function handler() {
  return load();
}
`;
    const blocking =
      "import { readFileSync } from 'node:fs';\nexport const load = () => readFileSync('a');\n";
    using project = committed({ 'load.js': 'export const load = () => 1;\n' });
    project.lay({ 'a.js': call, 'load.js': blocking });
    project.git('add', '-A');
    project.lay({ 'load.js': 'export const load = () => 1;\n' });
    assert.deepEqual(await project.places(STAGED), ['a.js:3 handler']);
    project.git('add', '-A');
    project.lay({ 'load.js': blocking });
    assert.deepEqual(await project.places(STAGED), []);
  });

  it('takes the index that a hook is given, from a folder below the top too', () => {
    using project = committed({ 'packages/a/a.js': IMPORT, 'packages/a/b.js': IMPORT });
    project.lay({ 'packages/a/a.js': IMPORT + spawn('a'), 'packages/a/b.js': IMPORT + spawn('b') });
    mkdirSync(join(project.folder, 'hooks'));
    writeFileSync(
      join(project.folder, 'hooks/pre-commit'),
      `#!/bin/sh\ncd packages/a && exec '${process.execPath}' '${bin}' check --staged --format json\n`,
      { mode: 0o755 },
    );
    project.git('config', 'core.hooksPath', 'hooks');
    // This commits one file by an index of its own.
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'x', 'packages/a/b.js'],
      { cwd: project.folder, encoding: 'utf8' },
    );
    assert.equal(status, 1, stderr);
    const found = JSON.parse(stdout || stderr) as { file: string; line: number }[];
    assert.deepEqual(
      found.map(({ file, line }) => `${file}:${line}`),
      ['b.js:2'],
    );
  });

  it('leaves a baseline as it is', async () => {
    using project = committed({ 'a.js': IMPORT + spawn('old') });
    await project.check(['--baseline', 'base.json']);
    const before = project.read('base.json');
    project.lay({ 'a.js': IMPORT });
    project.git('add', 'a.js');
    assert.equal((await project.check([...STAGED, '--baseline', 'base.json'])).code, 0);
    assert.equal(project.read('base.json'), before);
  });

  it('needs a repository, and no revision', async () => {
    using project = new CheckProject({ 'a.js': IMPORT });
    await assert.rejects(project.check(STAGED), /--staged needs a git repository/);
    await assert.rejects(project.check([...STAGED, '--since', 'main']), /exclude each other/);
  });
});
