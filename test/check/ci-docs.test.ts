import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { command as migrate } from '../../codemods/commands/migrate.ts';
import { command as check } from '../../rules/commands/check.ts';
import { command as markers } from '../../rules/commands/markers.ts';
import { CheckProject } from '../helpers/check-project.ts';
import { runCommand } from '../helpers/run-command.ts';

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
    'a.js': CLEAN,
    'owned-spawn-baseline.json': '{ "version": 1, "findings": [] }\n',
  });
  project.git('init', '-q', '-b', 'main');
  project.commit('start');
  project.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return project;
}

/** Runs a command as a shell of a CI job would: npx finds ours, and `>` writes a file. */
async function run(project: CheckProject, text: string): Promise<number> {
  const [, name = '', argv = '', file] =
    /^npx --no-install owned-spawn (\w+) ?([^>]*?)(?: > (\S+))?$/.exec(text) ?? assert.fail(text);
  const command = [check, markers, migrate].find((each) => each.name === name) ?? assert.fail(text);
  const options = { cwd: project.folder, env: { CI: 'true' } };
  const { code, out } = await runCommand(command, argv.split(' ').filter(Boolean), options);
  if (file !== undefined) project.lay({ [file]: out });
  return code;
}

describe('docs/ci.md', () => {
  it('has examples, of every format for CI', () => {
    assert.ok(commands.length >= 8);
    for (const format of ['github', 'sarif', 'junit'])
      assert.ok(commands.some((command) => command.includes(`--format ${format}`)));
  });

  for (const command of commands) {
    it(`passes a clean program and stops a leak: ${command}`, async () => {
      using project = cloned();
      assert.equal(await run(project, command), 0);
      project.lay({ 'a.js': LEAK });
      // Markers count exceptions, and a leak is none.
      assert.equal(await run(project, command), command.includes('markers') ? 0 : 1);
      const [, report] = /> (\S+)$/.exec(command) ?? [];
      if (report !== undefined) assert.match(project.read(report), /no-detached-spawn/);
    });
  }

  it('keeps a baseline as it is: it neither grows nor is made', async () => {
    using project = cloned();
    const before = project.read('owned-spawn-baseline.json');
    project.lay({ 'a.js': LEAK });
    for (const command of commands.filter((each) => each.includes('--baseline'))) {
      assert.equal(await run(project, command), 1);
      assert.equal(project.read('owned-spawn-baseline.json'), before);
    }
    project.remove('owned-spawn-baseline.json');
    assert.equal(await run(project, commands.find((each) => each.includes('--baseline')) ?? ''), 1);
    assert.throws(() => project.read('owned-spawn-baseline.json'), /ENOENT/);
  });
});
