import assert from 'node:assert/strict';
import fs, { chmodSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import type { UserError } from 'owned-spawn/cli';
import { replaceFiles, type Change } from '../../codemods/apply/journal.ts';
import { Project } from './project.ts';

const { signal } = new AbortController();

/** What lies in the project besides the journal. */
const names = ({ folder }: Project): string[] =>
  readdirSync(folder).filter((name) => name !== '.owned-spawn');

/** Lets the renaming onto one file fail. */
function failAt(t: TestContext, target: string): void {
  const rename = fs.renameSync;
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (to === target) throw Object.assign(new Error('no'), { code: 'EACCES' });
    rename(from, to);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

const change = (project: Project, name: string): Change => ({
  path: join(project.folder, name),
  before: 'before',
  after: 'after',
});

describe('replaceFiles', () => {
  it('keeps modes and symbolic links', () => {
    using project = new Project({ 'a.js': 'before', 'real/b.js': 'before' });
    chmodSync(join(project.folder, 'a.js'), 0o751);
    symlinkSync(join('real', 'b.js'), join(project.folder, 'b.js'));
    assert.equal(
      replaceFiles(project.folder, [change(project, 'a.js'), change(project, 'b.js')], signal),
      true,
    );
    assert.equal(statSync(join(project.folder, 'a.js')).mode & 0o7777, 0o751);
    assert.equal(readlinkSync(join(project.folder, 'b.js')), join('real', 'b.js'));
    assert.deepEqual([project.read('a.js'), project.read('real/b.js')], ['after', 'after']);
    assert.deepEqual(names(project).sort(), ['a.js', 'b.js', 'real']);
  });

  it('changes nothing where one file cannot be staged', () => {
    using project = new Project({ 'a.js': 'before' });
    assert.throws(
      () => replaceFiles(project.folder, [change(project, 'a.js'), change(project, 'gone/b.js')], signal),
      (error: UserError) => error.next === 'Nothing was changed.' && error.message.includes('ENOENT'),
    );
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(names(project), ['a.js']);
  });

  it('takes back what was replaced where a later file cannot be', (t) => {
    using project = new Project({ 'a.js': 'before', 'b.js': 'before' });
    failAt(t, join(project.folder, 'b.js'));
    assert.throws(
      () => replaceFiles(project.folder, [change(project, 'a.js'), change(project, 'b.js')], signal),
      (error: UserError) =>
        error.next === 'Nothing was changed.' && error.message.startsWith('cannot replace'),
    );
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(names(project).sort(), ['a.js', 'b.js']);
  });

  it('changes nothing once it is interrupted', () => {
    using project = new Project({ 'a.js': 'before' });
    assert.equal(replaceFiles(project.folder, [change(project, 'a.js')], AbortSignal.abort()), false);
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(names(project), ['a.js']);
  });
});
