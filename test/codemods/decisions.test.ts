import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { greenSets } from '../../codemods/gates/green-sets.ts';
import type { Plan } from '../../codemods/plan/plan.ts';
import { BIN, Project, run } from './project.ts';

const owner = (name: string): string =>
  `import { spawn } from 'node:child_process';\nexport const child = spawn('${name}', [], { detached: true });\n`;
const NAMES = ['a', 'b', 'c', 'd'];

const made = (more: Readonly<Record<string, string>> = {}): Project =>
  new Project({
    ...Object.fromEntries(NAMES.map((name) => [`${name}.mjs`, owner(name)])),
    'package.json': '{ "name": "app" }\n',
    ...more,
  });

const migrated = (project: Project): string[] =>
  NAMES.filter((name) => project.read(`${name}.mjs`).includes('spawnOwned'));

/** As npm would have installed it. */
function install(project: Project): void {
  mkdirSync(join(project.folder, 'node_modules'));
  symlinkSync(join(import.meta.dirname, '../../runtime'), join(project.folder, 'node_modules/owned-spawn'));
}

describe('decisions in the plan', () => {
  it('hold for a run with the same plan', async () => {
    using project = made();
    await project.migrate('--plan', 'plan.json');
    const plan = JSON.parse(project.read('plan.json')) as Plan;
    project.write('plan.json', JSON.stringify({ ...plan, decisions: { 'b.mjs': 'no', 'c.mjs': 'yes' } }));
    const { code, stdout } = await project.migrate('--plan', 'plan.json', '--write');
    assert.equal(code, 0);
    assert.deepEqual(migrated(project), ['a', 'c', 'd']);
    assert.match(stdout, /^b\.mjs:2:22 {2}declined {2}/m);
    assert.deepEqual((JSON.parse(project.read('plan.json')) as Plan).decisions, {
      'b.mjs': 'no',
      'c.mjs': 'yes',
    });
  });

  it('are refused where the file is no plan', async () => {
    using project = made({ 'odd.json': '{}', 'new.json': '{ "version": 2, "files": {} }', 'no.json': '{' });
    for (const [name, said] of [
      ['odd', /is no plan/],
      ['new', /a newer version/],
      ['no', /cannot be read as a plan/],
    ] as const) {
      const { code, stderr } = await project.migrate('--plan', `${name}.json`);
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
  });
});

describe('--from', () => {
  it('takes a plan as it is, and refuses one whose files have changed', async () => {
    using project = made();
    await project.migrate('--plan', 'plan.json');
    project.write('e.mjs', owner('e'));
    const { code, stderr } = await project.migrate('--from', 'plan.json', '--write');
    assert.equal(code, 0, stderr);
    assert.deepEqual(migrated(project), NAMES);
    assert.equal(project.read('e.mjs'), owner('e'));
    const again = await project.migrate('--from', 'plan.json', '--write');
    assert.equal(again.code, 2);
    assert.match(again.stderr, /not what the plan was made for: a\.mjs, b\.mjs/);
  });
});

describe('greenSets', () => {
  it('finds what is to blame by halves, and tests what it keeps together', async () => {
    const trials: string[] = [];
    const sets = 'a b c d e f g h'.split(' ');
    const good = await greenSets(sets, (some) => {
      trials.push(some.join(''));
      // f alone; and b together with g.
      return Promise.resolve(!some.includes('f') && !(some.includes('b') && some.includes('g')));
    });
    assert.equal(good.join(''), 'abcdeh');
    assert.ok(trials.includes('abcdeh'));
    assert.ok(trials.length <= 10, trials.join(' '));
    assert.deepEqual(await greenSets(sets, () => Promise.resolve(true)), sets);
    assert.deepEqual(await greenSets([], () => Promise.reject(new Error('no'))), []);
  });
});

describe('--test', () => {
  const TEST =
    "import { readFileSync } from 'node:fs';\nif (readFileSync('c.mjs', 'utf8').includes('spawnOwned')) { console.log('c is not to be owned'); process.exit(1); }\n";

  it('leaves the set with which the tests fail, and migrates the rest', async () => {
    using project = made({ 'check.mjs': TEST });
    install(project);
    const { code, stdout, stderr } = await project.migrate('--write', '--test', 'node check.mjs');
    assert.equal(code, 0, stderr);
    assert.deepEqual(migrated(project), ['a', 'b', 'd']);
    assert.match(stdout, /^c\.mjs:2:22 {2}tests {2}the project's tests fail with it: c is not to be owned$/m);
    assert.match(project.read('package.json'), /owned-spawn/);
    assert.equal((await project.migrate('--rollback')).code, 0);
    assert.deepEqual(migrated(project), []);
  });

  it('changes nothing where the tests fail before, or would not find the runtime', async () => {
    using project = made();
    const red = await project.migrate('--write', '--test', 'echo broken; exit 3');
    assert.equal(red.code, 2);
    assert.match(red.stderr, /the tests fail before the migration: .*\nbroken\n/);
    const missing = await project.migrate('--write', '--test', 'true');
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /would not find the runtime.*\n.*--install, or install it first: npm add owned-spawn/,
    );
    assert.deepEqual(migrated(project), []);
    assert.doesNotMatch(project.read('package.json'), /owned-spawn/);
  });
});

describe('--install', () => {
  it('runs the package manager of each lockfile, after the files are written', async () => {
    using project = new Project({
      'package.json': '{ "name": "root", "private": true }\n',
      'yarn.lock': '',
      'packages/a/package.json': '{\n\t"name": "a"\n}\n',
      'packages/a/a.mjs': owner('a'),
      'packages/b/package.json': '{ "name": "b", "dependencies": {} }',
      'packages/b/b.mjs': owner('b'),
      'other/package.json': '{ "name": "other" }\n',
      'other/bun.lock': '',
      'other/a.mjs': owner('a'),
    });
    const tools = join(project.folder, 'tools');
    mkdirSync(tools);
    for (const name of ['yarn', 'bun', 'npm']) {
      writeFileSync(
        join(tools, name),
        `#!/bin/sh\necho "${name} $* in $(basename "$PWD")" >> "${tools}/log"\n`,
      );
      chmodSync(join(tools, name), 0o755);
    }
    const dry = await project.migrate();
    assert.match(dry.stderr, /then install it: bun install \(in other\), yarn install$/m);
    const { code, stderr } = await run(
      '/bin/sh',
      [
        '-c',
        `PATH="${tools}:$PATH" exec "${process.execPath}" "${BIN}" migrate --no-gates --write --install`,
      ],
      project.folder,
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(project.read('tools/log').trim().split('\n'), [
      'bun install in other',
      `yarn install in ${project.folder.split('/').at(-1) ?? ''}`,
    ]);
    assert.match(
      project.read('packages/a/package.json'),
      /^\{\n\t"name": "a",\n\t"dependencies": \{\n\t\t"owned-spawn": "\^[\d.]+"\n\t\}\n\}\n$/,
    );
    assert.match(
      project.read('packages/b/package.json'),
      /^\{ "name": "b", "dependencies": \{"owned-spawn": "\^[\d.]+"\} \}$/,
    );
    assert.equal(project.read('package.json'), '{ "name": "root", "private": true }\n');
  });

  it('goes with --write', async () => {
    using project = made();
    for (const args of [['--install'], ['--test', 'true']]) {
      const { code, stderr } = await project.migrate(...args);
      assert.equal(code, 2);
      assert.match(stderr, /goes with --write/);
    }
  });
});
