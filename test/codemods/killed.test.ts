import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bring, withJournal } from '../../codemods/apply/journal.ts';
import { Project, run } from './project.ts';

const root = join(import.meta.dirname, '..', '..');
const tsx = join(root, 'node_modules/tsx/dist/esm/index.mjs');
const FILES = ['a.js', 'b.js', 'c.js'];

/** Migrates three files; killed right before the nth call of a function of fs, unless it makes fewer. */
async function killedAt(call: string, n: number, isReached = true): Promise<Project> {
  const project = new Project(Object.fromEntries(FILES.map((name) => [name, 'before'])));
  const writer = join(import.meta.dirname, 'killed-writer.ts');
  const { code } = await run(
    process.execPath,
    ['--import', tsx, writer, project.folder, call, String(n)],
    project.folder,
  );
  assert.equal(code !== 0, isReached, 'whether it came to that call');
  return project;
}

const texts = (project: Project): string[] => FILES.map((name) => project.read(name));
const litter = ({ folder }: Project): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

/** What has to be in the files after the kill. */
type Left = 'old' | 'mixture' | 'new';

const POINTS: readonly [call: string, n: number, left: Left][] = [
  // The texts are stored: six of them.
  ['fsyncSync', 4, 'old'],
  // The journal, which makes the migration one that can be ended or taken back.
  ['renameSync', 1, 'old'],
  // The new texts beside the files.
  ['chmodSync', 2, 'old'],
  ['renameSync', 2, 'old'],
  ['renameSync', 3, 'mixture'],
  ['renameSync', 4, 'mixture'],
  // The journal again: all is done.
  ['renameSync', 5, 'new'],
];

const OF: Readonly<Record<Left, readonly string[]>> = {
  old: ['before', 'before', 'before'],
  mixture: ['after', 'before', 'before'],
  new: ['after', 'after', 'after'],
};

describe('a migration killed while it is written', () => {
  for (const [call, n, left] of POINTS) {
    it(`leaves what can be settled: ${left}, before ${call} ${n}`, async () => {
      using project = await killedAt(call, n);
      if (left !== 'mixture') assert.deepEqual(texts(project), OF[left]);
      else assert.notDeepEqual(new Set(texts(project)).size, 1);
      await withJournal(project.folder, (journal) => {
        assert.equal(journal?.state, { old: undefined, mixture: 'writing', new: 'written' }[left]);
        if (!journal) return;
        bring(project.folder, journal, 'before');
        assert.deepEqual(texts(project), OF.old);
        bring(project.folder, journal, 'after');
        assert.deepEqual(texts(project), OF.new);
      });
      assert.deepEqual(litter(project), []);
    });
  }

  it('is refused to be gone on with, and taken back or brought to its end by the command', async () => {
    for (const [flag, expected, said] of [
      ['--rollback', OF.old, /^2 files restored\.$/m],
      ['--resume', OF.new, /^3 files migrated, 1 of them now\.$/m],
    ] as const) {
      using project = await killedAt('renameSync', 4);
      const next = await project.migrate('--check');
      assert.equal(next.code, 2);
      assert.match(next.stderr, /a migration of 3 files was cut off .*\nmigrate --rollback .* --resume/);
      const { code, stdout, stderr } = await project.migrate(flag);
      assert.equal(code, 0, stderr);
      assert.match(stdout, said);
      assert.deepEqual(texts(project), expected);
      assert.equal((await project.migrate('--check')).code, 0);
    }
  });

  it('does not take a file back that was edited since, and says which', async () => {
    using project = await killedAt('renameSync', 9, false);
    assert.deepEqual(texts(project), OF.new);
    project.write('b.js', 'mine');
    const { code, stderr } = await project.migrate('--rollback');
    assert.equal(code, 2);
    assert.match(stderr, /changed since the migration: b\.js/);
    assert.deepEqual(texts(project), ['after', 'mine', 'after']);
  });

  it('is told of where there is none', async () => {
    using project = new Project({ 'a.js': '' });
    const { code, stderr } = await project.migrate('--rollback');
    assert.equal(code, 2);
    assert.match(stderr, /no migration to take back here/);
    assert.deepEqual(readdirSync(project.folder), ['a.js']);
  });
});
