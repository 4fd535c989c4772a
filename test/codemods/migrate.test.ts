import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Plan } from '../../codemods/plan/plan.ts';
import { Project, run } from './project.ts';

const SERVER = `import { spawn } from 'node:child_process';

export const server = spawn('server', [], { detached: true, stdio: 'ignore' });
`;
const SERVER_OWNED = `import { spawnOwned } from 'owned-spawn';

export const server = spawnOwned('server', [], { stdio: 'ignore' });
`;
const DAEMON = `import { spawn } from 'node:child_process';

spawn('worker', [], { detached: true }).unref();
`;
const MANIFEST = '{\n  "name": "app"\n}\n';

describe('owned-spawn migrate', () => {
  it('shows a diff that git applies, and writes nothing', async () => {
    using project = new Project({
      'src/server.ts': SERVER,
      'src/daemon.ts': DAEMON,
      'package.json': MANIFEST,
    });
    await project.commit();
    const { code, stdout } = await project.migrate();
    assert.equal(code, 0);
    assert.equal(await project.git('status', '--porcelain'), '');
    assert.match(stdout, /^src\/daemon\.ts:3:1 {2}outlives {2}.*unref/m);
    assert.match(stdout, /^1 site to migrate in 2 files, 1 left alone \(1 outlives\)\.$/m);
    project.write('migration.diff', stdout);
    await project.git('apply', 'migration.diff');
    assert.equal(project.read('src/server.ts'), SERVER_OWNED);
    assert.match(project.read('package.json'), /"owned-spawn": "\^/);
  });

  it('writes without git, says so, and names the install command', async () => {
    using project = new Project({ 'server.mts': SERVER, 'package.json': MANIFEST, 'pnpm-lock.yaml': '' });
    const { code, stdout, stderr } = await project.migrate('--write');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /git cannot undo/);
    assert.match(stderr, /Now install the runtime: pnpm install/);
    assert.match(stdout, /^1 site migrated in 2 files, 0 left alone\.$/m);
    assert.equal(project.read('server.mts'), SERVER_OWNED);
    assert.deepEqual(readdirSync(project.folder).sort(), [
      '.owned-spawn',
      'package.json',
      'pnpm-lock.yaml',
      'server.mts',
    ]);
    const again = await project.migrate('--write');
    assert.equal(again.code, 0);
    assert.match(again.stdout, /^0 sites migrated in 0 files/m);
  });

  it('refuses a dirty git tree', async () => {
    using project = new Project({ 'server.ts': SERVER, 'package.json': MANIFEST, 'notes.md': 'a' });
    await project.commit();
    project.write('notes.md', 'b');
    const dirty = await project.migrate('--write');
    assert.equal(dirty.code, 2);
    assert.match(dirty.stderr, /uncommitted changes: notes\.md/);
    assert.equal(project.read('server.ts'), SERVER);
    const allowed = await project.migrate('--write', '--allow-dirty');
    assert.equal(allowed.code, 0);
    assert.equal(project.read('server.ts'), SERVER_OWNED);
  });

  it('refuses a file that git does not know, and passes over others', async () => {
    using project = new Project({ 'package.json': MANIFEST });
    await project.commit();
    project.write('server.ts', SERVER);
    const unknown = await project.migrate('--write');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /uncommitted changes: server\.ts/);
    await project.git('add', 'server.ts');
    await project.git('commit', '-qm', 'server');
    project.write('plan.json', '{}');
    assert.equal((await project.migrate('--write')).code, 0);
  });

  it('answers --check and --max-left by its exit code', async () => {
    using project = new Project({ 'server.ts': SERVER, 'daemon.ts': DAEMON, 'package.json': MANIFEST });
    assert.equal((await project.migrate('--check')).code, 1);
    assert.equal((await project.migrate('--max-left', '0')).code, 1);
    assert.equal((await project.migrate('--max-left', '1')).code, 0);
    assert.equal((await project.migrate('--write')).code, 0);
    assert.equal((await project.migrate('--check')).code, 0);
    assert.equal((await project.migrate('--check', '--max-left', '0')).code, 1);
  });

  it('writes the plan: hashes, edits with their old texts, every site; the same bytes each time', async () => {
    using project = new Project({
      'src/server.ts': SERVER,
      'src/daemon.ts': DAEMON,
      'package.json': MANIFEST,
    });
    const { stdout } = await project.migrate('src', '--plan', 'plan.json', '--report', 'json');
    const text = project.read('plan.json');
    const plan = JSON.parse(text) as Plan;
    assert.deepEqual([plan.version, plan.recipe], [1, 'spawn-owned']);
    assert.deepEqual(Object.keys(plan.files), ['../package.json', 'daemon.ts', 'server.ts']);
    const server = plan.files['server.ts'];
    assert.equal(server?.sha256, createHash('sha256').update(SERVER).digest('hex'));
    assert.deepEqual(
      server.edits.map(({ start, end, old, text: replacement }) => [
        SERVER.slice(start, end),
        old,
        replacement,
      ]),
      [
        ['spawn', 'spawn', 'spawnOwned'],
        ['node:child_process', 'node:child_process', 'owned-spawn'],
        ['spawn', 'spawn', 'spawnOwned'],
        ['detached: true, ', 'detached: true, ', ''],
      ],
    );
    assert.deepEqual([server.edits[0]?.sets, server.sites[0]?.set], [['server.ts'], 'server.ts']);
    const [left] = plan.files['daemon.ts']?.sites ?? [];
    assert.equal(left?.status, 'left');
    assert.equal(left.reason, 'outlives');
    assert.ok(left.short && left.long);
    assert.deepEqual([left.line, left.column, left.callee], [3, 1, 'child_process.spawn']);
    const report = JSON.parse(stdout) as Plan & {
      totals: { migrate: number; left: number };
      written: boolean;
    };
    assert.deepEqual(report.files, plan.files);
    assert.deepEqual([report.totals.migrate, report.totals.left, report.written], [1, 1, false]);
    await project.migrate('src', '--plan', 'plan.json');
    assert.equal(project.read('plan.json'), text);
  });

  it('writes spawnDetached with an empty reason, or a marker without one', async () => {
    using project = new Project({ 'daemon.mjs': DAEMON, 'package.json': MANIFEST });
    const markers = await project.migrate('--insert-markers', '--write');
    assert.equal(markers.code, 0);
    assert.match(project.read('daemon.mjs'), /^\/\/ detached-spawn: ok —\nspawn\('worker'/m);
    assert.equal((await project.migrate('--insert-markers', '--check')).code, 0, 'once is enough');
    project.write('daemon.mjs', DAEMON);
    assert.equal((await project.migrate('--outliving', 'detach', '--write')).code, 0);
    assert.match(project.read('daemon.mjs'), /^spawnDetached\('worker', \[\], \{ why: '' \}\)\.unref\(\);$/m);
    const { stdout } = await project.migrate('--outliving', 'detach', '--check');
    assert.match(stdout, /no-why/);
  });

  it('puts the reason above what is left', async () => {
    using project = new Project({ 'a.mjs': "import { exec } from 'child_process';\nexec('server &');\n" });
    assert.equal((await project.migrate('--insert-todos', '--write')).code, 0);
    assert.match(project.read('a.mjs'), /^\/\/ owned-spawn-todo: shell-text: .+\nexec\('server &'\);\n$/m);
    assert.equal((await project.migrate('--insert-todos', '--check')).code, 0);
  });

  it('heeds the settings of the ESLint config that check would take, per file', async () => {
    const config = (settings: string): string =>
      `export default [{ ignores: ['gen/'] }, { files: ['**/*.mjs'], settings: { 'owned-spawn': ${settings} } }];\n`;
    const call =
      "import { spawn } from 'node:child_process';\nexport const a = () => spawn('a', [], { detached: true });\n";
    using project = new Project({
      'eslint.config.mjs': config(`{
        apis: [{ module: './lib/launch', path: 'launch' }],
        allow: [{ from: 'file', path: 'app/daemons/*', reason: 'daemons serve all sessions' }],
      }`),
      'app/daemons/a.mjs': call,
      'app/a.mjs': call,
      'app/launch.mjs': "import { launch } from '../lib/launch.mjs';\nlaunch('b', [], { detached: true });\n",
      'gen/a.mjs': call,
      'other/eslint.config.mjs': config('{}'),
      'other/daemons/a.mjs': call,
    });
    const sites = async (...args: string[]): Promise<string[]> => {
      const { stdout, stderr } = await project.migrate(...args, '--report', 'json');
      assert.notEqual(stdout, '', stderr);
      return Object.entries((JSON.parse(stdout) as Plan).files).flatMap(([file, plan]) =>
        plan.sites.map(({ status, reason }) => `${file} ${status} ${reason ?? ''}`.trimEnd()),
      );
    };
    assert.deepEqual(await sites(), [
      'app/a.mjs migrate',
      'app/daemons/a.mjs suppressed allow',
      'app/launch.mjs left other-library',
      'other/daemons/a.mjs migrate',
    ]);
    assert.deepEqual(await sites('app/daemons'), ['a.mjs suppressed allow'], 'wherever it is called from');
    assert.deepEqual(await sites('gen/a.mjs'), ['gen/a.mjs migrate'], 'ignored, but named');
    assert.deepEqual(await sites('other', '-c', 'eslint.config.mjs'), ['daemons/a.mjs migrate']);
    await project.migrate('app', '--write');
    assert.equal(project.read('app/daemons/a.mjs'), call);
    project.write('eslint.config.mjs', config("{ allow: [{ from: 'file' }] }"));
    const wrong = await project.migrate('--write');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /eslint\.config\.mjs is of no use: settings\['owned-spawn'\]\.allow\[0\]/);
  });

  it('plans a part by reason, path or rule', async () => {
    const both = `${DAEMON}export const a = spawn('a', [], { detached: true });\n`;
    using project = new Project({
      'src/both.mjs': both,
      'src/jobs/a.mjs': SERVER,
      'src/broken.js': 'let = ;\n// spawn: detached\n',
      'package.json': MANIFEST,
    });
    const sites = async (...args: string[]): Promise<string[]> => {
      const { stdout, stderr } = await project.migrate(...args, '--report', 'json');
      assert.notEqual(stdout, '', stderr);
      return Object.entries((JSON.parse(stdout) as Plan).files).flatMap(([file, plan]) =>
        plan.sites.map(({ status, line }) => `${file}:${line} ${status}`),
      );
    };
    const [broken, daemon, own, job] = [
      ...[
        'src/broken.js:1 left',
        'src/both.mjs:3 left',
        'src/both.mjs:4 migrate',
        'src/jobs/a.mjs:3 migrate',
      ],
    ];
    assert.deepEqual(await sites('--skip', 'syntax-error'), [daemon, own, job]);
    assert.deepEqual(await sites('--only', 'outlives', '--only', 'syntax-error'), [daemon, broken]);
    assert.deepEqual(await sites('--skip', 'outlives', '--only', 'both.mjs'), [own]);
    assert.deepEqual(await sites('--only', 'src/jobs/'), [job]);
    assert.deepEqual(await sites('--skip', 'owned-spawn/no-detached-spawn'), []);
    assert.deepEqual(await sites('--only', 'no-detached-spawn'), [daemon, own, broken, job]);
    assert.deepEqual(await sites('--only', 'src/both.mjs:4'), [own]);
    assert.deepEqual(await sites('--only', 'both.mjs:4:18', '--only', 'a.mjs:3:1'), [own]);
    assert.deepEqual(await sites('--skip', 'src/both.mjs:3:1', '--skip', 'a.mjs:3'), [own, broken]);
    assert.equal((await project.migrate('--only', 'src/both.mjs', '--max-left', '0')).code, 1);
    assert.equal((await project.migrate('--skip', 'outlives', '--skip', '*.js', '--max-left', '0')).code, 0);
    const wrong = await project.migrate('--only', 'outlive');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /"outlive" is no reason, rule, path or place\nDid you mean outlives\?/);
    await project.migrate('--only', 'outlives', '--outliving', 'own', '--write');
    assert.equal(
      project.read('src/both.mjs'),
      both
        .replace("child_process';", "child_process';\nimport { spawnOwned } from 'owned-spawn';")
        .replace("spawn('worker', [], { detached: true })", "spawnOwned('worker', [])"),
    );
    assert.equal(project.read('src/jobs/a.mjs'), SERVER);
  });

  it('goes on past what it cannot read', async () => {
    using project = new Project({
      'broken.js': "require('child_process').spawn('a', {\n  detached: true\n",
      'binary.js': Buffer.from("spawn('a', { detached: true })\0", 'latin1'),
      'latin.js': Buffer.from("require('child_process').spawn('\xE9', [], { detached: true });\n", 'latin1'),
      'server.ts': SERVER,
    });
    const { code, stdout, stderr } = await project.migrate('--write');
    assert.equal(code, 2);
    assert.match(stdout, /^broken\.js:3:1 {2}syntax-error {2}\S/m);
    assert.match(stderr, /^latin\.js: is not UTF-8 text/m);
    assert.doesNotMatch(stdout + stderr, /binary/);
    assert.match(stderr, /no package\.json above server\.ts/);
    assert.equal(project.read('server.ts'), SERVER_OWNED);
  });

  it('says what is wrong with a package.json', async () => {
    using project = new Project({ 'server.ts': SERVER, 'package.json': '{ "name": ' });
    const { code, stderr } = await project.migrate();
    assert.equal(code, 2);
    assert.match(stderr, /^package\.json: the dependency owned-spawn cannot be added: /m);
  });

  it('has a message for wrong use', async () => {
    using project = new Project({ 'a.ts': 'export {};\n' });
    const cases: [args: string[], message: RegExp][] = [
      [['--wirte'], /unknown flag --wirte\nDid you mean --write\?/],
      [['--outliving', 'kill'], /--outliving takes leave, own, detach/],
      [['--max-left', '1.5'], /--max-left takes a whole number/],
      [['--write', '--check'], /exclude each other/],
      [['nowhere'], /nowhere does not exist/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await project.migrate(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
    assert.equal((await project.migrate()).code, 0);
  });

  it('says that an empty folder has nothing for it', async () => {
    using project = new Project();
    const { code, stdout, stderr } = await project.migrate();
    assert.equal(code, 0);
    assert.match(stderr, /No source files here/);
    assert.match(stdout, /^0 sites to migrate in 0 files, 0 left alone\.$/m);
  });

  it('follows a symbolic link that it is given, and leaves the link', async () => {
    using project = new Project({ 'lib/server.ts': SERVER });
    symlinkSync(join('lib', 'server.ts'), join(project.folder, 'link.ts'));
    assert.equal((await project.migrate('link.ts', '--write')).code, 0);
    assert.equal(project.read('lib/server.ts'), SERVER_OWNED);
  });

  it('leaves only what it says it leaves: check finds no more', async () => {
    using project = new Project({ 'server.ts': SERVER, 'daemon.ts': DAEMON, 'package.json': MANIFEST });
    await project.migrate('--write');
    const bin = join(import.meta.dirname, '..', '..', 'rules', 'bin', 'owned-spawn.js');
    const { stdout } = await run(process.execPath, [bin, 'check', '--format', 'json'], project.folder);
    const findings = JSON.parse(stdout) as { file: string; line: number; ruleId: string }[];
    assert.deepEqual(
      findings.map(({ file, line, ruleId }) => [file, line, ruleId]),
      [['daemon.ts', 3, 'owned-spawn/no-detached-spawn']],
    );
  });
});
