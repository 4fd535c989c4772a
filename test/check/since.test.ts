import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDiff } from '../../rules/check/changes.ts';
import { CheckProject } from '../helpers/check-project.ts';

const IMPORT = "import { spawn } from 'node:child_process';\n";
const spawn = (name: string): string => `spawn('${name}', [], { detached: true });\n`;
const SINCE = ['--since', 'main'] as const;

/** A branch that has just left `main`. */
function branched(files: Readonly<Record<string, string>>): CheckProject {
  const project = new CheckProject(files);
  project.git('init', '-q', '-b', 'main');
  project.commit('old');
  project.git('checkout', '-q', '-b', 'feature');
  return project;
}

describe('check --since', () => {
  it('reports lines that were changed: committed, staged, in the working tree, in files new to git', async () => {
    using project = branched({
      'a.js': IMPORT + spawn('old'),
      'b.js': IMPORT + spawn('old'),
      'c.js': IMPORT + spawn('old'),
      'same.js': IMPORT + spawn('old'),
    });
    assert.deepEqual(await project.places(SINCE), []);
    assert.equal((await project.check(SINCE)).code, 0);
    project.lay({ 'a.js': IMPORT + spawn('old') + spawn('new') });
    project.commit('new');
    project.lay({ 'b.js': IMPORT + spawn('new') + spawn('old') });
    project.git('add', 'b.js');
    project.lay({ 'c.js': IMPORT + spawn('edited'), 'd e.js': IMPORT + spawn('new') });
    assert.deepEqual(await project.places(SINCE), ['a.js:3', 'b.js:2', 'c.js:2', 'd e.js:2']);
    assert.equal((await project.check(SINCE)).code, 1);
  });

  it('takes the merge base: what others did meanwhile is theirs', async () => {
    using project = branched({ 'a.js': IMPORT });
    project.git('checkout', '-q', 'main');
    project.lay({ 'b.js': IMPORT + spawn('theirs'), 'a.js': `${IMPORT}// theirs\n` });
    project.commit('theirs');
    project.git('checkout', '-q', 'feature');
    project.lay({ 'a.js': IMPORT + spawn('ours') });
    project.commit('ours');
    project.git('merge', '-q', '-X', 'ours', '-m', 'merged', 'main');
    assert.deepEqual(await project.places(SINCE), ['a.js:2']);
  });

  it('passes over moved files and changes of spaces', async () => {
    // git takes a file for a renamed one where half of it is the same.
    const rest = Array.from({ length: 9 }, (_, n) => `export const n${n} = ${n};\n`).join('');
    using project = branched({ 'a.js': `${IMPORT}export function f() {\n${spawn('old')}}\n${rest}` });
    project.git('mv', 'a.js', 'there "é".js');
    const moved = `${IMPORT}export function f() {\n    ${spawn('old')}}\n${rest}`;
    project.lay({ 'there "é".js': moved });
    assert.deepEqual(await project.places(SINCE), []);
    project.lay({ 'there "é".js': moved + spawn('new') });
    assert.deepEqual(await project.places(SINCE), ['there "é".js:14']);
  });

  it('reports a finding when a step of its path was changed', async () => {
    const session = (load: string): string => `import { readFileSync } from 'node:fs';
export async function open(path) {
  return load(path);
}
const other = 1;
${load}
`;
    using project = branched({ 'a.js': session('const load = (path) => readFileSync(path);') });
    project.lay({ 'a.js': session('const load = (path) => readFileSync(path, other);') });
    assert.deepEqual(await project.places(SINCE), ['a.js:3 open']);
    project.lay({ 'a.js': session('const load = (path) => readFileSync(path);').replace('= 1', '= 2') });
    assert.deepEqual(await project.places(SINCE), []);
    const host = (detached: string): string =>
      `${IMPORT}const options = {\n  ${detached}\n};\nspawn('a', [], options);\n`;
    using other = branched({ 'a.js': host('detached: false,') });
    other.lay({ 'a.js': host('detached: true,') });
    assert.deepEqual(await other.places(SINCE), ['a.js:5']);
  });

  it('reports what lost its marker', async () => {
    const marker = '// detached-spawn: ok — the update helper replaces this program\n';
    const child = "const child =\n  spawn('b', [], { detached: true });\n";
    using project = branched({ 'a.js': `${IMPORT}${spawn('a')}${marker}${child}${spawn('c')}` });
    project.lay({ 'a.js': `${IMPORT}${spawn('a')}${child}${spawn('c')}` });
    assert.deepEqual(await project.places(SINCE), ['a.js:4']);
  });

  it('reports a file that no longer parses, wherever it was changed', async () => {
    using project = branched({ 'a.js': 'let a;\n\n\n\n', 'b.js': 'let = ;\n' });
    project.lay({ 'a.js': 'let a = {;\n\n\n\n' });
    assert.deepEqual(await project.places(SINCE), ['a.js:1']);
  });

  it('works in a folder of the repository, and together with a baseline', async () => {
    using project = branched({ 'app/a.js': IMPORT + spawn('old'), 'lib/b.js': IMPORT });
    await project.check(['--baseline', 'baseline.json']);
    project.lay({ 'app/a.js': IMPORT + spawn('old') + spawn('new'), 'lib/b.js': IMPORT + spawn('new') });
    assert.deepEqual(await project.places([...SINCE, 'app']), ['a.js:3']);
    assert.deepEqual(await project.places([...SINCE, '--baseline', 'baseline.json']), [
      'app/a.js:3',
      'lib/b.js:2',
    ]);
  });

  it('heeds no setting of git that changes its output', async () => {
    using project = branched({ 'a.js': IMPORT, '.gitattributes': '*.js -diff\n' });
    for (const [name, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['color.ui', 'always'],
      ['diff.external', 'false'],
      ['diff.interHunkContext', '9'],
    ] as const)
      project.git('config', name, value);
    project.lay({ 'a.js': IMPORT + spawn('new') });
    assert.deepEqual(await project.places(SINCE), ['a.js:2']);
  });

  it('needs a revision that is there', async () => {
    using project = branched({ 'a.js': IMPORT });
    await assert.rejects(project.check(['--since', 'nowhere']), /git knows no revision "nowhere"/);
    project.remove('.git');
    await assert.rejects(project.check(SINCE), /--since needs a git repository/);
  });
});

describe('the lines of a diff', () => {
  it('are not taken for headers', () => {
    const diff = `diff --git a/a.js b/a.js
--- a/a.js
+++ b/a.js
@@ -3 +3,2 @@
--- b/x.js
+++ b/y.js
+@@ -1 +1 @@
@@ -9 +9,0 @@
-// blocking-call: ok — read once at the start
diff --git a/gone.js b/gone.js
--- a/gone.js
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
    assert.deepEqual([...readDiff(diff)], [['a.js', { lines: [[3, 4]], excuses: [9] }]]);
  });
});
