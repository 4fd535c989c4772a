import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { configWith, DETACHED, placesOf, RULE } from './samples.ts';
import { BIN, CheckProject } from '../helpers/check-project.ts';

describe('owned-spawn check', () => {
  it('reports in words, with the counts and the ways on', () => {
    using project = new CheckProject({ 'src/a.js': DETACHED, 'src/b.js': "export const a = '1';\n" });
    const { code, out, err } = project.checkAsUser([]);
    assert.equal(code, 1);
    assert.equal(err, '');
    assert.match(out, /^src\/a\.js\n {2}2:1 {2}error {2}.+ {2}owned-spawn\/no-detached-spawn\n/);
    assert.match(out, /\n1 error and 0 warnings in 1 of 2 files\n {2}1 {2}owned-spawn\/no-detached-spawn\n/);
    assert.match(out, /owned-spawn migrate[^]*spawnOwned[^]*\/\/ detached-spawn: ok — why/);
  });

  it('exits 0 and says so where there is nothing to find, and nothing to check', async () => {
    using project = new CheckProject();
    assert.deepEqual(await project.findings(), {
      code: 0,
      findings: [],
      err: 'No source files here: nothing to check.\n',
    });
    project.lay({ 'a.js': 'export {};\n' });
    assert.deepEqual(await project.check([]), { code: 0, out: 'No findings in 1 file.\n', err: '' });
  });

  it('names a path or a config that does not exist', async () => {
    using project = new CheckProject();
    assert.deepEqual(project.checkAsUser(['src']), {
      code: 2,
      out: '',
      err: 'owned-spawn check: src does not exist\n',
    });
    project.lay({ 'a.js': DETACHED });
    await assert.rejects(project.check(['--config', 'no.config.js']), {
      name: 'UserError',
      message: 'the config no.config.js does not exist',
    });
  });

  it('refuses flags and values that it does not know', async () => {
    using project = new CheckProject();
    assert.deepEqual(project.checkAsUser(['--fromat', 'json']), {
      code: 2,
      out: '',
      err: 'owned-spawn check: unknown flag --fromat\nDid you mean --format?\n',
    });
    await assert.rejects(project.check(['--format', 'xml']), {
      message: '--format takes stylish, json, sarif, github, junit, not "xml"',
    });
    await assert.rejects(project.check(['--max-warnings', '1.5']), {
      message: '--max-warnings takes a whole number, not "1.5"',
    });
  });

  it('hears no rules of others in the code', async () => {
    using project = new CheckProject({
      'a.js': `/* eslint no-undef: error, no-such: 2 */
/* eslint-disable react/no-danger, no-such-rule */
/* eslint {broken */
// eslint-disable-next-line import/no-unresolved
import { spawn } from 'child_process';
spawn(unknown);
`,
    });
    assert.deepEqual(await project.findings(), { code: 0, findings: [], err: '' });
  });

  it('honours an eslint-disable with a reason, and lists it; one without waives nothing', async () => {
    const disable = (comment: string): string => DETACHED.replace('spawn(', `${comment}\nspawn(`);
    using project = new CheckProject({
      'a.js': disable(`// eslint-disable-next-line ${RULE} -- the updater restarts us`),
    });
    assert.equal((await project.findings()).findings.filter(({ ruleId }) => ruleId === RULE).length, 0);
    const { code, out } = await project.check([]);
    assert.equal(code, 0);
    assert.match(
      out,
      /1 exception with a reason:\n {2}a\.js:3 {2}owned-spawn\/no-detached-spawn {2}the updater restarts us\n/,
    );
    for (const comment of [`// eslint-disable-next-line ${RULE}`, '/* eslint-disable */']) {
      project.lay({ 'a.js': disable(comment) });
      assert.ok(placesOf((await project.findings()).findings).includes(`a.js:3:1 ${RULE}`), comment);
    }
  });

  it('exits by errors and --max-warnings', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': configWith(
        "return { Program: (node) => context.report({ node, message: 'm' }) }",
        "files: ['a.js']",
      ),
      'a.js': DETACHED,
    });
    assert.equal((await project.check(['a.js'])).code, 0);
    assert.match(
      (await project.check(['a.js'])).out,
      /1:1 {2}warning {2}m {2}owned-spawn\/probe[^]*0 errors and 1 warning in 1 of 1 file/,
    );
    assert.equal((await project.check(['--max-warnings', '0', 'a.js'])).code, 1);
    assert.equal((await project.check(['--max-warnings', '1', 'a.js'])).code, 0);
    assert.deepEqual((await project.findings('--quiet', '--max-warnings', '0', 'a.js')).findings, []);
  });

  it('stops between files when interrupted', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': configWith(
        "process.stderr.write('linting\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); return {};",
      ),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.js`, DETACHED])),
    });
    const child = spawn(process.execPath, [BIN, 'check', '--format', 'json'], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.once('data', () => child.kill('SIGINT'));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 130);
    assert.equal(stdout, '');
  });
});
