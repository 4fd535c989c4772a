import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { UserError } from 'owned-spawn/cli';
import { replaceFiles, type Change } from '../../codemods/apply/write.ts';
import { Project } from './project.ts';

const { signal } = new AbortController();
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
    assert.equal(replaceFiles([change(project, 'a.js'), change(project, 'b.js')], signal), true);
    assert.equal(statSync(join(project.folder, 'a.js')).mode & 0o7777, 0o751);
    assert.equal(readlinkSync(join(project.folder, 'b.js')), join('real', 'b.js'));
    assert.deepEqual([project.read('a.js'), project.read('real/b.js')], ['after', 'after']);
    assert.deepEqual(readdirSync(project.folder).sort(), ['a.js', 'b.js', 'real']);
  });

  it('changes nothing where one file cannot be staged', () => {
    using project = new Project({ 'a.js': 'before' });
    assert.throws(
      () => replaceFiles([change(project, 'a.js'), change(project, 'gone/b.js')], signal),
      (error: UserError) => error.next === 'Nothing was changed.' && error.message.includes('ENOENT'),
    );
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(readdirSync(project.folder), ['a.js']);
  });

  it('takes back what was replaced where a later file cannot be', () => {
    using project = new Project({ 'a.js': 'before' });
    // No file can be renamed over a folder.
    mkdirSync(join(project.folder, 'b.js'));
    assert.throws(
      () => replaceFiles([change(project, 'a.js'), change(project, 'b.js')], signal),
      (error: UserError) =>
        error.next === 'Nothing was changed.' && error.message.startsWith('cannot replace'),
    );
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(readdirSync(project.folder).sort(), ['a.js', 'b.js']);
  });

  it('changes nothing once it is interrupted', () => {
    using project = new Project({ 'a.js': 'before' });
    assert.equal(replaceFiles([change(project, 'a.js')], AbortSignal.abort()), false);
    assert.equal(project.read('a.js'), 'before');
    assert.deepEqual(readdirSync(project.folder), ['a.js']);
  });
});
