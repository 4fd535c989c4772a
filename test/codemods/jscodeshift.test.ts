import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Project, run, type Run } from './project.ts';

const bin = createRequire(import.meta.url).resolve('jscodeshift/bin/jscodeshift.js');
const recipe = join(import.meta.dirname, '..', '..', 'codemods', 'dist', 'recipes', 'spawn-owned.js');

const shift = (project: Project, ...args: string[]): Promise<Run> =>
  run(
    process.execPath,
    [bin, '-t', recipe, '--extensions=js,ts,mts', '--cpus=1', ...args, 'src'],
    project.folder,
  );

const source =
  "\uFEFFimport { spawn } from 'child_process';\r\n\r\nexport const a = () =>\r\n\tspawn('a', [], {\r\n\t\tdetached: true,\r\n\t});\r\n";

describe('the recipe run by jscodeshift itself', () => {
  it('edits what the command edits, byte by byte, and nothing the second time', async () => {
    using project = new Project({
      'src/a.mts': source,
      'src/b.js': "require('child_process').spawn('b', { detached: true }).unref();\n",
      'src/c.ts': 'export const x = <number>1;\n',
    });
    const first = await shift(project);
    assert.match(first.stdout, /^1 ok$/m, first.stderr);
    assert.match(first.stdout, /src\/b\.js 1:26 {2}outlives {2}/);
    const edited =
      "\uFEFFimport { spawnOwned } from 'owned-spawn';\r\n\r\nexport const a = () =>\r\n\tspawnOwned('a', []);\r\n";
    assert.equal(project.read('src/a.mts'), edited);
    const second = await shift(project, '--run-in-band');
    assert.match(second.stdout, /^0 ok$/m);
    assert.equal(project.read('src/a.mts'), edited);
  });

  it('leaves what a group of the settings gives the reason for', async () => {
    const call = "require('child_process').spawn('a', { detached: true });\n";
    using project = new Project({
      'eslint.config.mjs': `const allow = [{ from: 'file', path: 'src/a.js', reason: 'daemons serve all sessions' }];
        export default [{ settings: { 'owned-spawn': { allow } } }];`,
      'src/a.js': call,
      'src/b.js': call,
    });
    const { stdout, stderr } = await shift(project);
    assert.match(stdout, /^1 ok$/m, stderr);
    assert.equal(project.read('src/a.js'), call);
    assert.match(project.read('src/b.js'), /spawnOwned/);
  });

  it('takes the options of the command', async () => {
    using project = new Project({
      'src/b.js': "require('child_process').spawn('b', { detached: true }).unref();\n",
    });
    const { stdout } = await shift(project, '--outliving=own', '--no-babel');
    assert.match(stdout, /^1 ok$/m);
    assert.equal(project.read('src/b.js'), "require('owned-spawn').spawnOwned('b').unref();\n");
    const wrong = await shift(project, '--outliving=maybe');
    assert.match(wrong.stdout, /^1 errors$/m);
    assert.match(wrong.stdout, /--outliving takes leave, own, detach, not "maybe"/);
  });
});
