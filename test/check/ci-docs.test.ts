import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { CheckProject } from '../helpers/check-project.ts';

const repository = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/ci.md'), 'utf8');

/** The texts below a YAML value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const examples = [...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, yaml = '']) => parse(yaml) as unknown);
const commands = examples.flatMap(textsIn).filter((text) => text.includes('owned-spawn '));

const CLEAN = "import { spawn } from 'node:child_process';\nexport const go = () => spawn('a', []);\n";
const LEAK = CLEAN.replace('[]', '[], { detached: true }');

/** A clone with a clean main branch and an empty baseline. */
function cloned(): CheckProject {
  const project = new CheckProject({
    'package.json': '{ "name": "app", "type": "module" }',
    '.gitignore': 'node_modules\nbin\n',
    'a.js': CLEAN,
    'owned-spawn-baseline.json': '{ "version": 1, "findings": [] }\n',
  });
  mkdirSync(join(project.folder, 'node_modules'));
  for (const name of ['owned-spawn', 'eslint-plugin-owned-spawn', 'owned-spawn-codemods'])
    symlinkSync(join(repository, 'node_modules', name), join(project.folder, 'node_modules', name));
  // What npx finds, without the seconds that it takes.
  mkdirSync(join(project.folder, 'bin'));
  const bin = join(repository, 'codemods/bin/owned-spawn.js');
  writeFileSync(
    join(project.folder, 'bin/npx'),
    `#!/bin/sh\n[ "$1 $2" = '--no-install owned-spawn' ] || exit 3\nshift 2\nexec '${process.execPath}' '${bin}' "$@"\n`,
    { mode: 0o755 },
  );
  project.git('init', '-q', '-b', 'main');
  project.commit('start');
  project.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return project;
}

function run({ folder }: CheckProject, command: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}` },
  });
  return { status, output: stdout + stderr };
}

describe('docs/ci.md', () => {
  it('has examples, of every format for CI', () => {
    assert.ok(commands.length >= 8);
    for (const format of ['github', 'sarif', 'junit'])
      assert.ok(commands.some((command) => command.includes(`--format ${format}`)));
  });

  for (const command of commands) {
    it(`passes a clean program and stops a leak: ${command}`, () => {
      using project = cloned();
      const clean = run(project, command);
      assert.equal(clean.status, 0, clean.output);
      project.lay({ 'a.js': LEAK });
      const leaking = run(project, command);
      // Markers count exceptions, and a leak is none.
      assert.equal(leaking.status, command.includes('markers') ? 0 : 1, leaking.output);
      const [, report] = /> (\S+)$/.exec(command) ?? [];
      if (report !== undefined) assert.match(project.read(report), /no-detached-spawn/);
    });
  }

  it('keeps a baseline as it is: it neither grows nor is made', () => {
    using project = cloned();
    const before = project.read('owned-spawn-baseline.json');
    project.lay({ 'a.js': LEAK });
    for (const command of commands.filter((each) => each.includes('--baseline'))) {
      assert.equal(run(project, command).status, 1);
      assert.equal(project.read('owned-spawn-baseline.json'), before);
    }
    project.remove('owned-spawn-baseline.json');
    assert.equal(run(project, commands.find((each) => each.includes('--baseline')) ?? '').status, 1);
    assert.throws(() => project.read('owned-spawn-baseline.json'), /ENOENT/);
  });
});
