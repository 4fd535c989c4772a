// Makes a release in a clone: needs the npm registry for the changesets tool.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

describe('the next versions', () => {
  let clone: string;
  const read = (file: string) => readFileSync(join(clone, file), 'utf8');
  const manifest = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;

  before(() => {
    clone = mkdtempSync(join(tmpdir(), 'owned-spawn-release-'));
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
    for (const file of files.filter((name) =>
      /(^|\/)package(-lock)?\.json$|^\.npmrc$|^\.changeset\/|CHANGELOG/.test(name),
    ))
      cpSync(join(root, file), join(clone, file));
    writeFileSync(
      join(clone, '.changeset/new-launcher.md'),
      "---\n'eslint-plugin-owned-spawn': minor\n---\n\n`no-detached-spawn` knows one more launcher.\n",
    );
    const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '-qm', 'all');
    execFileSync('npm', ['run', 'release:version'], { cwd: clone, stdio: 'pipe' });
  });

  after(() => {
    rmSync(clone, { recursive: true, force: true });
  });

  it('are one for all three packages, and the packages ask for it', () => {
    const next = manifest('rules').version;
    assert.match(next, /^\d+\.[1-9]\d*\.0$/);
    for (const folder of ['rules', 'codemods', 'runtime']) {
      const { version, dependencies = {} } = manifest(folder);
      assert.equal(version, next);
      for (const [name, range] of Object.entries(dependencies))
        if (name.includes('owned-spawn')) assert.equal(range, next, `${folder} asks for ${name}`);
    }
  });

  it('say in the changelog what has changed', () => {
    assert.match(read('rules/CHANGELOG.md'), /knows one more launcher/);
  });

  it('leave no registry in the lockfile', () => {
    assert.doesNotMatch(read('package-lock.json'), /"resolved": "https?:/);
  });
});
