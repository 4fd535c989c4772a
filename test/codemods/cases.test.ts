import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parseModule } from 'eslint-plugin-owned-spawn/api';
import { Project, run } from './project.ts';

const runtime = join(import.meta.dirname, '..', '..', 'runtime');

/** Lines that a diff of two texts takes away and adds. */
function changed(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return {
    removed: old.filter((line) => !now.includes(line)),
    added: now.filter((line) => !old.includes(line)),
  };
}

/** Migrates a case's file; a second run must change nothing. */
async function migrated(
  t: TestContext,
  id: string,
  file: string,
  ...args: string[]
): Promise<{ before: string; after: string; stdout: string; project: Project }> {
  const project = Project.ofCase(id);
  t.after(() => {
    project[Symbol.dispose]();
  });
  const before = project.read(file);
  const { code, stdout, stderr } = await project.migrate('--write', ...args);
  assert.equal(code, 0, stderr);
  const after = project.read(file);
  const again = await project.migrate('--check', ...args);
  assert.equal(again.code, 0, `a second run changes nothing: ${again.stdout}`);
  return { before, after, stdout, project };
}

describe('cases', () => {
  it('cm-02: a CommonJS command with a shebang and no semicolons', async (t) => {
    const { after, project } = await migrated(t, 'cm-02', 'cli.cjs', '--outliving', 'own');
    const lines = after.split('\n');
    assert.equal(lines[0], '#!/usr/bin/env node');
    assert.equal(
      lines.find((line) => line !== '' && !line.startsWith('#!')),
      "'use strict'",
    );
    assert.match(after, /^const \{ spawnOwned \} = require\('owned-spawn'\)$/m);
    assert.doesNotMatch(after, /;|"|\bimport\b|detached/);
    assert.match(after, /^\/\/ loads the launcher$/m);
    assert.equal((await run(process.execPath, ['--check', 'cli.cjs'], project.folder)).code, 0);
    // Started as a program, with a server that ends by itself.
    writeFileSync(join(project.folder, 'srv.js'), '');
    mkdirSync(join(project.folder, 'node_modules'));
    symlinkSync(runtime, join(project.folder, 'node_modules', 'owned-spawn'));
    chmodSync(join(project.folder, 'cli.cjs'), 0o755);
    const started = await run(join(project.folder, 'cli.cjs'), [], project.folder);
    assert.equal(started.code, 0, started.stderr);
  });

  it('cm-03: CRLF with one LF inside a template', async (t) => {
    const { before, after } = await migrated(t, 'cm-03', 'windows.ts', '--outliving', 'own');
    assert.match(after, /`first\nsecond`/);
    const lines = after.split('\n').length - 1;
    assert.equal(
      after.split('\r').length - 1,
      lines - 1,
      'every line end but the one in the template is CRLF',
    );
    const { removed, added } = changed(before, after);
    assert.ok(removed.length + added.length <= 5);
    assert.match(after, /^import \{ spawnOwned \} from 'owned-spawn';\r$/m);
  });

  it('cm-07: two lines of a file full of odd syntax', async (t) => {
    const { before, after } = await migrated(t, 'cm-07', 'odd.ts', '--outliving', 'own');
    const { removed, added } = changed(before, after);
    assert.equal(removed.length, 2);
    assert.deepEqual(added, [
      "import { type ChildProcess } from 'node:child_process'",
      "import { spawnOwned } from 'owned-spawn'",
      "  start(this: Svc<T>): ChildProcess { return this.child = spawnOwned('svc', [...this.args], { stdio: 'ignore' }) }",
    ]);
    assert.equal(after.split(';').length, before.split(';').length, 'no semicolons appear');
  });

  it('cm-08: directives, JSX text, and unref() on the call', async (t) => {
    const { after } = await migrated(t, 'cm-08', 'widget.tsx', '--outliving', 'own');
    assert.ok(after.startsWith("'use client';\n\nimport { spawnOwned } from 'owned-spawn';\n"));
    assert.match(
      after,
      /open\(url: string\) \{\n {2}'use server'\n {2}spawnOwned\('xdg-open', \[url\], \{ stdio: 'ignore' \}\)\.unref\(\);/,
    );
    assert.match(after, /<section title="detached: true">/);
  });

  it('cm-08: an opener is left alone by default, and where a marker stands', async () => {
    using project = Project.ofCase('cm-08');
    const { stdout } = await project.migrate();
    assert.match(stdout, /^widget\.tsx:8:3 {2}outlives /m);
    const marked = project
      .read('widget.tsx')
      .replace("  spawn('xdg", "  // detached-spawn: ok — the browser is the user's\n  spawn('xdg");
    project.write('widget.tsx', marked);
    const own = await project.migrate('--outliving', 'own', '--write');
    assert.equal(own.code, 0);
    assert.equal(project.read('widget.tsx'), marked);
    assert.match(own.stdout, /^widget\.tsx:9:3 {2}marker {2}suppressed/m);
  });

  it('cm-09: renamed, namespace and dynamic imports, shadows, and a name that is taken', async (t) => {
    const { before, after } = await migrated(t, 'cm-09', 'scopes.ts', '--outliving', 'own');
    for (const line of [8, 13, 3, 17, 1].map((n) => before.split('\n')[n - 1] ?? '?'))
      assert.ok(after.split('\n').includes(line), `untouched: ${line}`);
    assert.equal(after.match(/owned-spawn/g)?.length, 1, 'one import of the runtime');
    assert.match(after, /^import \{ spawnOwned as spawnOwned2 \} from 'owned-spawn';$/m);
    for (const command of ['a', 'b', 'c']) assert.ok(after.includes(`  spawnOwned2('${command}', [file]);`));
    parseModule(after, 'scopes.ts');
  });

  it('cm-12: group kills move together with the spawn', async (t) => {
    const { after } = await migrated(t, 'cm-12', 'server-process.ts', '--outliving', 'own');
    assert.doesNotMatch(after, /detached|process\.kill/);
    for (const kept of [
      "stdio: ['ignore', log, log],",
      'env: { ...process.env, PORT: String(port) },',
      '    signal,',
      "child.once('exit', () => { child = undefined; });",
    ])
      assert.ok(after.includes(kept), kept);
    assert.equal(after.match(/killOwned\(child, /g)?.length, 2);
    parseModule(after, 'server-process.ts');
  });

  it('cm-05: where await may stand, and where not', async (t) => {
    const { before, after, stdout } = await migrated(t, 'cm-05', 'positions.ts', '--recipe', 'off-loop');
    const { removed, added } = changed(before, after);
    assert.deepEqual(added, [
      "import { readFile } from 'node:fs/promises';",
      '  for (const f of files) { await readFile(f); }',
      "  const texts = await Promise.all(files.map(async (f) => await readFile(f, 'utf8')));",
      "  const first = await readFile(files[0], 'utf8');",
      '  for (const f of files) await readFile(f);',
      "export const table = { load() { return readFileSync('t'); }, async fresh() { return await readFile('t'); } };",
    ]);
    assert.equal(removed.length, added.length - 1);
    for (const [line, reason] of [
      [4, 'class-field'],
      [5, 'static-block'],
      [6, 'constructor'],
      [7, 'accessor'],
      [8, 'sync-contract'],
      [9, 'generator'],
      [11, 'parameter-default'],
      [13, 'array-callback'],
      [14, 'array-callback'],
      [20, 'public-api'],
      [21, 'public-api'],
    ] as const)
      assert.match(stdout, new RegExp(`^positions\\.ts:${line}:\\d+ +${reason} `, 'm'));
    // That no `await` stands outside of async code was checked before it was written, by Babel's parser.
    parseModule(after, 'positions.ts');
  });

  it('cm-11: exported functions, whose callers change with them or not at all', async () => {
    using project = Project.ofCase('cm-11');
    const before = [project.read('settings.ts'), project.read('app.ts')];
    const left = await project.migrate('--recipe', 'off-loop', '--write');
    assert.equal(left.code, 0, left.stderr);
    assert.deepEqual([project.read('settings.ts'), project.read('app.ts')], before);
    assert.match(left.stdout, /^settings\.ts:5:21 .*public-api/m);
    assert.match(left.stdout, /^settings\.ts:8:31 +public-api/m);
    const changedApi = await project.migrate('--recipe', 'off-loop', '--write', '--allow-api-change');
    assert.match(changedApi.stdout, /^settings\.ts:5:21 .*app\.ts:3:14.*render app\.ts:11:/m);
    const [settings, app] = [project.read('settings.ts'), project.read('app.ts')];
    assert.match(settings, /export function loadSettings\(file: string\): Record<string, unknown>/);
    assert.match(settings, /load\(name: string\): Promise<string> \}/);
    assert.match(settings, /async load\(name: string\) \{ return await readFile\(name, 'utf8'\); \}/);
    assert.match(app, /text: await loader\.load\(file\)/);
  });

  for (const id of ['cm-05', 'cm-11']) {
    it(`${id}: blocking calls are none of the recipe spawn-owned's business`, async () => {
      using project = Project.ofCase(id);
      const { code, stdout } = await project.migrate('--check');
      assert.equal(code, 0);
      assert.match(stdout, /^0 sites to migrate in 0 files, 0 left alone\.$/m);
    });
  }
});
