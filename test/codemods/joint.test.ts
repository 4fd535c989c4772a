import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { composed } from '../../codemods/plan/composed-edits.ts';
import type { Plan, PlannedEdit } from '../../codemods/plan/plan.ts';
import { Project } from './project.ts';

const MIXED = `import { execSync, spawn } from 'node:child_process';
import http from 'node:http';
export const child = spawn('x', [], { detached: true });
http.createServer((req, res) => { res.end(execSync('ls').toString()); }).listen();
spawn('worker', [], { detached: true }).unref();
`;
const FILES = {
  'package.json': '{ "name": "app", "private": true, "type": "module" }\n',
  'mixed.mjs': MIXED,
  'spawns.mjs': `import { fork } from 'node:child_process';\nexport const f = fork('f.js', { detached: true });\n`,
  'blocks.mjs': `import { readFileSync } from 'node:fs';\nexport async function read(f) { return readFileSync(f); }\n`,
};
const NAMES = Object.keys(FILES);
const BOTH = ['--recipe', 'off-loop,spawn-owned'];

describe('two recipes at once', () => {
  it('compose edits of a text and of what it becomes', () => {
    const text = 'abcdefghij';
    const edit = (from: string, old: string, put: string, ...sets: string[]): PlannedEdit => {
      const start = from.indexOf(old);
      return { start, end: start + old.length, old, text: put, ...(sets.length > 0 && { sets }) };
    };
    const first = [edit(text, 'b', 'BBB', '1'), edit(text, 'ef', ''), edit(text, 'j', 'J', '1')];
    const between = applyEdits(text, first);
    const second = [edit(between, 'a', 'A', '2'), edit(between, 'BBc', 'C', '2'), edit(between, 'h', 'HH')];
    const both = composed(text, first, second);
    assert.equal(applyEdits(text, both), applyEdits(between, second));
    assert.deepEqual(both, [
      { start: 0, end: 3, text: 'ABC', old: 'abc', sets: ['1', '2'] },
      { start: 4, end: 6, text: '', old: 'ef' },
      { start: 7, end: 8, text: 'HH', old: 'h' },
      { start: 9, end: 10, text: 'J', old: 'j', sets: ['1'] },
    ]);
  });

  it('make what one after the other makes, in one plan with one way back', async () => {
    using apart = new Project(FILES);
    await apart.migrate('--recipe', 'off-loop', '--write');
    await apart.migrate('--recipe', 'spawn-owned', '--write');
    using project = new Project(FILES);
    assert.equal((await project.migrate(...BOTH, '--check')).code, 1);
    assert.equal((await project.migrate(...BOTH, '--max-left', '0')).code, 1);
    const { code, stdout } = await project.migrateThroughGates(...BOTH, '--write');
    assert.equal(code, 0);
    assert.match(stdout, /^mixed\.mjs:5:1 +outlives /m);
    assert.match(stdout, /^4 sites migrated in 4 files, 1 left alone \(1 outlives\)\.$/m);
    for (const name of NAMES) assert.equal(project.read(name), apart.read(name));
    assert.equal(
      (await project.migrate('--recipe', 'spawn-owned', '--recipe', 'off-loop', '--check')).code,
      0,
    );
    assert.equal((await project.migrate('--rollback')).code, 0);
    for (const [name, text] of Object.entries(FILES)) assert.equal(project.read(name), text);
  });

  it('name every site by its place before, and take the rules of both', async () => {
    using project = new Project(FILES);
    const sites = async (...args: string[]): Promise<string[]> => {
      const { stdout, stderr } = await project.migrate(...BOTH, ...args, '--report', 'json');
      assert.notEqual(stdout, '', stderr);
      return Object.entries((JSON.parse(stdout) as Plan).files).flatMap(([file, plan]) =>
        plan.sites.map(({ status, line, column }) => `${file}:${line}:${column} ${status}`),
      );
    };
    const [read, owned, blocked, outlives, fork] = [
      'blocks.mjs:2:40 migrate',
      'mixed.mjs:3:22 migrate',
      'mixed.mjs:4:43 migrate',
      'mixed.mjs:5:1 left',
      'spawns.mjs:2:18 migrate',
    ];
    assert.deepEqual(await sites(), [read, owned, blocked, outlives, fork]);
    assert.deepEqual(await sites('--only', 'no-detached-spawn'), [owned, outlives, fork]);
    assert.deepEqual(await sites('--skip', 'no-detached-spawn'), [read, blocked]);
    assert.deepEqual(await sites('--skip', 'mixed.mjs:3', '--skip', 'mixed.mjs:5'), [read, blocked, fork]);
  });
});
