import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { applyEdits } from '../../rules/edits/edit.ts';
import type { Finding } from '../../rules/check/finding.ts';
import { check } from '../../rules/check/run.ts';
import { command } from '../../rules/commands/check.ts';
import { parseFlags } from '../../runtime/cli/flags.ts';
import { terminal, type Sink } from '../../runtime/cli/terminal.ts';

const repository = resolve(import.meta.dirname, '../..');
const bin = join(repository, 'rules/bin/owned-spawn.js');
const DETACHED = "import { spawn } from 'node:child_process';\nspawn('server', [], { detached: true });\n";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-check-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function lay(files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command as a user does. */
function asUser(argv: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'check', ...argv], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

/** Runs the command in this process, which loads ESLint and TypeScript once. */
async function run(...argv: string[]): Promise<Outcome> {
  const written = { out: '', err: '' };
  const sink = (name: 'out' | 'err'): Sink => ({ write: (text) => (written[name] += text) });
  const [out, err] = [terminal(sink('out'), {}), terminal(sink('err'), {})];
  const { values, positionals } = parseFlags(command.flags, argv);
  const { signal } = new AbortController();
  const status = await command.run(values, positionals, { cwd: root, env: {}, out, err, signal });
  return { status, stdout: written.out, stderr: written.err };
}

async function json(
  ...argv: string[]
): Promise<{ status: number | null; findings: Finding[]; stderr: string }> {
  const { status, stdout, stderr } = await run('--format', 'json', ...argv);
  return { status, findings: JSON.parse(stdout) as Finding[], stderr };
}

const places = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ file, line, column, ruleId, messageId }) => `${file}:${line}:${column} ${ruleId ?? messageId ?? ''}`,
  );

const RULE = 'owned-spawn/no-detached-spawn';

/** Lets a config of the temporary project import our plugin. */
function linkPlugin(): void {
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(repository, 'rules'), join(root, 'node_modules/eslint-plugin-owned-spawn'));
}

/** A config whose copy of our plugin has one rule, with the given body of `create`. */
const configWith = (create: string, more = ''): string => `
  const rule = { create(context) { ${create} } };
  const plugin = { meta: { name: 'eslint-plugin-owned-spawn' }, rules: { probe: rule } };
  export default [{ plugins: { 'owned-spawn': plugin }, rules: { 'owned-spawn/probe': 'warn' }, ${more} }];
`;

describe('owned-spawn check', () => {
  it('reports in JSON the calls that lead to one that blocks, and the API at the end', async () => {
    lay({
      'src/session.ts': `import { readFileSync } from 'node:fs';
const load = (path: string) => readFileSync(path);
const save = (path: string) => load(path).length + load(path).length;
export class Session {
  async open(path: string) {
    return save(path);
  }
  async direct(path: string) {
    return readFileSync(path);
  }
}
`,
    });
    const { findings } = await json();
    const file = 'src/session.ts';
    assert.deepEqual(
      findings.map(({ ruleId, line, symbol, callee, path }) => ({ ruleId, line, symbol, callee, path })),
      [
        {
          ruleId: 'owned-spawn/no-blocking-call',
          line: 6,
          symbol: 'Session.open',
          callee: 'fs.readFileSync',
          path: [
            { name: 'save', file, line: 6, column: 12 },
            { name: 'load', file, line: 3, column: 32 },
            { name: 'readFileSync', file, line: 2, column: 32 },
          ],
        },
        {
          ruleId: 'owned-spawn/no-blocking-call',
          line: 9,
          symbol: 'Session.direct',
          callee: 'fs.readFileSync',
          path: undefined,
        },
      ],
    );
  });

  it('reports in JSON where a child is detached, in whom, and what to do', () => {
    lay({
      'src/host.js': `import * as cp from 'node:child_process';
export class Host {
  start() {
    return cp.spawn('server', [], { detached: true });
  }
}
`,
      'src/clean.js': "import { spawn } from 'node:child_process';\nspawn('server');\n",
    });
    const { status, stdout } = asUser(['--format', 'json']);
    const findings = JSON.parse(stdout) as Finding[];
    assert.equal(status, 1);
    assert.deepEqual(places(findings), [`src/host.js:4:15 ${RULE}`]);
    const [finding] = findings;
    assert.deepEqual(Object.keys(finding ?? {}), [
      ...['ruleId', 'messageId', 'message', 'severity', 'file', 'line', 'column', 'endLine', 'endColumn'],
      ...['symbol', 'callee', 'suggestions'],
    ]);
    assert.equal(finding?.severity, 2);
    assert.equal(finding.symbol, 'Host.start');
    assert.equal(finding.callee, 'child_process.spawn');
    const text = readFileSync(join(root, 'src/host.js'), 'utf8');
    for (const { desc, edits } of finding.suggestions) assert.notEqual(applyEdits(text, edits), text, desc);
  });

  it('gives identical bytes for identical input, in the order of file, line and column', async () => {
    lay({ 'b.js': DETACHED + "spawn('a', { detached: true });\n", 'a/z.js': DETACHED, 'B.js': DETACHED });
    const [first, second] = [await run('--format', 'json'), await run('--format', 'json')];
    assert.equal(first.stdout, second.stdout);
    assert.deepEqual(places(JSON.parse(first.stdout) as Finding[]), [
      ...[`B.js:2:1 ${RULE}`, `a/z.js:2:1 ${RULE}`, `b.js:2:1 ${RULE}`, `b.js:3:1 ${RULE}`],
    ]);
  });

  it('checks by parts, which together find what one run finds', async () => {
    lay({
      'lib.js': "const fs = require('fs');\nexports.load = (path) => fs.readFileSync(path);\n",
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          `${name}.js`,
          "const { load } = require('./lib');\nexports.get = async () => load('x');\n",
        ]),
      ),
    });
    const all = (await json()).findings;
    assert.equal(all.length, 3);
    const parts = [await json('--shard', '1/2'), await json('--shard', '2/2')].map(
      ({ findings }) => findings,
    );
    assert.ok(parts.every((part) => part.length > 0));
    assert.deepEqual(places(parts.flat()).sort(), places(all));
    for (const wrong of ['0/2', '3/2', '2', 'a/b'])
      await assert.rejects(run('--shard', wrong), { message: /^--shard takes a part/ });
  });

  it('names files relative to the one folder given, else to the current one', async () => {
    lay({ 'app/src/a.js': DETACHED, 'lib/b.js': DETACHED });
    assert.deepEqual(places((await json(join(root, 'app'))).findings), [`src/a.js:2:1 ${RULE}`]);
    assert.deepEqual(places((await json('app/src/a.js', 'lib')).findings), [
      ...[`app/src/a.js:2:1 ${RULE}`, `lib/b.js:2:1 ${RULE}`],
    ]);
  });

  it('reports in words, with the counts and the ways on', () => {
    lay({ 'src/a.js': DETACHED, 'src/b.js': "export const a = '1';\n" });
    const { status, stdout, stderr } = asUser([]);
    assert.equal(status, 1);
    assert.equal(stderr, '');
    assert.match(stdout, /^src\/a\.js\n {2}2:1 {2}error {2}.+ {2}owned-spawn\/no-detached-spawn\n/);
    assert.match(
      stdout,
      /\n1 error and 0 warnings in 1 of 2 files\n {2}1 {2}owned-spawn\/no-detached-spawn\n/,
    );
    assert.match(stdout, /owned-spawn migrate[^]*spawnOwned[^]*\/\/ detached-spawn: ok — why/);
  });

  it('exits 0 and says so where there is nothing to find, and nothing to check', async () => {
    assert.deepEqual(await json(), {
      status: 0,
      findings: [],
      stderr: 'No source files here: nothing to check.\n',
    });
    lay({ 'a.js': 'export {};\n' });
    assert.deepEqual(await run(), { status: 0, stdout: 'No findings in 1 file.\n', stderr: '' });
  });

  it('parses what real code is written in', async () => {
    const esm = "import { spawn } from 'child_process';\n";
    const cjs = "const { spawn } = require('child_process');\n";
    const call = "spawn('a', { detached: true });";
    const files = {
      'bom.js': `\uFEFF${DETACHED}`,
      'cast.ts': `${esm}spawn(<string>cmd, [] as T[], { detached: true });`,
      'crlf.js': DETACHED.replaceAll('\n', '\r\n'),
      'decorator.js': `${esm}${call} @b class C {}`,
      'element.js': `${esm}${call} const e = <a />;`,
      'element.jsx': `${esm}${call} const e = <a b='1'>c</a>;`,
      'element.tsx': `${esm}${call} const e: E = <a />;`,
      'generic.ts': `${esm}${call} const f = <T>(a: T) => a;`,
      'hashbang.js': `#!/usr/bin/env node\nrequire('child_process').${call}`,
      'html.js': `<!-- sloppy\nrequire('child_process').${call}`,
      'octal.js': `${cjs}${call} fs.chmodSync('a', 0755);`,
      'return.cjs': `${cjs}${call} return;`,
      'return.js': `${cjs}${call} return;`,
      'typed.js': `${esm}${call} const a: B = 1;`,
      'with.js': `${cjs}${call} with (process) {}`,
    };
    lay(files);
    const { findings } = await json();
    assert.deepEqual(
      findings.map(({ ruleId, file, line }) => [ruleId, file, line]),
      Object.keys(files).map((file) => [RULE, file, 2]),
    );
  });

  it('counts the offsets of edits without the byte order mark', async () => {
    lay({ 'a.js': DETACHED, 'b.js': `\uFEFF${DETACHED}` });
    const [a, b] = (await json()).findings;
    assert.deepEqual({ ...a, file: 'b.js' }, b);
  });

  it('reports a file that does not parse, and goes on', async () => {
    lay({
      'a.js': 'const a = ;\n',
      'b.ts': '\nlet b: = 1;\n',
      'c.js': DETACHED,
      'd.js': 'import a from "b";\nwith (a) {}\nconst = 1;\n',
    });
    const { status, findings } = await json();
    assert.equal(status, 1);
    assert.deepEqual(places(findings), [
      ...['a.js:1:11 unparsable', 'b.ts:2:8 unparsable', `c.js:2:1 ${RULE}`, 'd.js:3:7 unparsable'],
    ]);
    assert.match(findings[0]?.message ?? '', /^Parsing error: /);
    assert.match((await run()).stdout, /a\.js\n {2}1:11 {2}error {2}Parsing error/);
  });

  it('skips what is no text, and says so', async () => {
    lay({ 'a.js': Buffer.from([0x89, 0x50, 0, 1, 2]), 'b.js': DETACHED });
    const { findings, stderr } = await json();
    assert.deepEqual(places(findings), [`b.js:2:1 ${RULE}`]);
    assert.equal(stderr, '1 file skipped, not text: a.js\n');
  });

  it('skips minified files, unless asked for or named', async () => {
    const dense = `var{spawn}=require("child_process");${'function s(a){return r(a,()=>t(a))}'.repeat(100)};spawn("a",{detached:true})`;
    lay({ 'a.js': dense, 'b.min.js': DETACHED });
    const { status, findings, stderr } = await json();
    assert.deepEqual([status, findings], [0, []]);
    assert.equal(stderr, '2 files skipped, minified (--minified takes them): a.js, b.min.js\n');
    assert.equal((await json('--minified')).findings.length, 2);
    assert.equal((await json('a.js')).findings.length, 1);
  });

  it('checks a huge file of one line', async () => {
    lay({ 'a.js': `require("child_process").spawn("a",{detached:true});${'f(1);'.repeat(200_000)}` });
    assert.equal((await json('--minified')).findings.length, 1);
  });

  it('goes on where a file cannot be read, and exits 2', async () => {
    // Permissions do not bind root: a file that vanishes meanwhile fails in the same way.
    lay({ 'a.js': DETACHED, 'b.js': DETACHED });
    const result = await check({
      paths: [],
      cwd: root,
      minified: false,
      ignored: false,
      signal: new AbortController().signal,
      progress: (text) => {
        if (text.endsWith('a.js')) rmSync(join(root, 'a.js'));
      },
    });
    assert.deepEqual(places(result.findings), ['a.js:1:1 unreadable', `b.js:2:1 ${RULE}`]);
    assert.match(result.findings[0]?.message ?? '', /ENOENT/);
    assert.equal(result.failed, true);
  });

  it('names a path or a config that does not exist', async () => {
    assert.deepEqual(asUser(['src']), {
      status: 2,
      stdout: '',
      stderr: 'owned-spawn check: src does not exist\n',
    });
    lay({ 'a.js': DETACHED });
    await assert.rejects(run('--config', 'no.config.js'), {
      name: 'UserError',
      message: 'the config no.config.js does not exist',
    });
  });

  it('refuses flags and values that it does not know', async () => {
    assert.deepEqual(asUser(['--fromat', 'json']), {
      status: 2,
      stdout: '',
      stderr: 'owned-spawn check: unknown flag --fromat\nDid you mean --format?\n',
    });
    await assert.rejects(run('--format', 'xml'), {
      message: '--format takes stylish, json, sarif, github, junit, not "xml"',
    });
    await assert.rejects(run('--max-warnings', '1.5'), {
      message: '--max-warnings takes a whole number, not "1.5"',
    });
  });

  it('hears no rules of others in the code', async () => {
    lay({
      'a.js': `/* eslint no-undef: error, no-such: 2 */
/* eslint-disable react/no-danger, no-such-rule */
/* eslint {broken */
// eslint-disable-next-line import/no-unresolved
import { spawn } from 'child_process';
spawn(unknown);
`,
    });
    assert.deepEqual(await json(), { status: 0, findings: [], stderr: '' });
  });

  it('honours an eslint-disable with a reason, and lists it; one without waives nothing', async () => {
    const disable = (comment: string): string => DETACHED.replace('spawn(', `${comment}\nspawn(`);
    lay({ 'a.js': disable(`// eslint-disable-next-line ${RULE} -- the updater restarts us`) });
    assert.equal((await json()).findings.filter(({ ruleId }) => ruleId === RULE).length, 0);
    const { status, stdout } = await run();
    assert.equal(status, 0);
    assert.match(
      stdout,
      /1 exception with a reason:\n {2}a\.js:3 {2}owned-spawn\/no-detached-spawn {2}the updater restarts us\n/,
    );
    for (const comment of [`// eslint-disable-next-line ${RULE}`, '/* eslint-disable */']) {
      lay({ 'a.js': disable(comment) });
      assert.ok(places((await json()).findings).includes(`a.js:3:1 ${RULE}`), comment);
    }
  });

  it('exits by errors and --max-warnings', async () => {
    lay({
      'eslint.config.mjs': configWith(
        "return { Program: (node) => context.report({ node, message: 'm' }) }",
        "files: ['a.js']",
      ),
      'a.js': DETACHED,
    });
    assert.equal((await run('a.js')).status, 0);
    assert.match(
      (await run('a.js')).stdout,
      /1:1 {2}warning {2}m {2}owned-spawn\/probe[^]*0 errors and 1 warning in 1 of 1 file/,
    );
    assert.equal((await run('--max-warnings', '0', 'a.js')).status, 1);
    assert.equal((await run('--max-warnings', '1', 'a.js')).status, 0);
    assert.deepEqual((await json('--quiet', '--max-warnings', '0', 'a.js')).findings, []);
  });

  it('stops between files when interrupted', async () => {
    lay({
      'eslint.config.mjs': configWith(
        "process.stderr.write('linting\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); return {};",
      ),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.js`, DETACHED])),
    });
    const child = spawn(process.execPath, [bin, 'check', '--format', 'json'], {
      cwd: root,
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

describe('the config of owned-spawn check', () => {
  it('is the built-in one where the user’s does not name the plugin, which is never run', async () => {
    lay({ 'eslint.config.mjs': "throw new Error('must not run');\n", 'src/a.js': DETACHED });
    assert.deepEqual(places((await json()).findings), [`src/a.js:2:1 ${RULE}`]);
    await assert.rejects(run('--config', 'eslint.config.mjs'), {
      name: 'UserError',
      message: /the ESLint config .*eslint\.config\.mjs is of no use: must not run/,
    });
  });

  it('is the user’s where it names the plugin: its files, ignores and severities, under any name', async () => {
    linkPlugin();
    lay({
      'eslint.config.mjs': `
        import plugin from 'eslint-plugin-owned-spawn';
        export default [
          { ignores: ['gen/'] },
          { files: ['src/**/*.js'], plugins: { own: plugin }, rules: { 'own/no-detached-spawn': 'warn', 'no-undef': 'error' } },
        ];`,
      'src/a.js': `${DETACHED}unknown();\n`,
      'gen/b.js': DETACHED,
      'test/c.js': DETACHED,
    });
    const { status, findings } = await json();
    assert.equal(status, 0);
    assert.deepEqual(places(findings), [`src/a.js:2:1 ${RULE}`]);
    assert.equal(findings[0]?.severity, 1);
    assert.equal(findings[0].callee, 'child_process.spawn');
    assert.deepEqual(places((await json('src')).findings), [`a.js:2:1 ${RULE}`]);
  });

  it('is refused where it names a rule that there is not, with the nearest one', async () => {
    linkPlugin();
    lay({
      'eslint.config.mjs': `
        import plugin from 'eslint-plugin-owned-spawn';
        export default [plugin.configs.recommended, { rules: { 'owned-spawn/no-detached-spwan': 'error' } }];`,
      'a.js': DETACHED,
    });
    await assert.rejects(run(), { name: 'UserError', next: 'Did you mean "no-detached-spawn"?' });
  });

  it('is refused where its settings are wrong, by the name of the setting', async () => {
    lay({
      'eslint.config.mjs': configWith('return {}', "settings: { 'owned-spawn': { apis: [{ path: 'x' }] } }"),
      'a.js': DETACHED,
    });
    await assert.rejects(run(), {
      name: 'UserError',
      message: /eslint\.config\.mjs is of no use: settings\['owned-spawn'\]\.apis\[0\]\.module must be/,
    });
  });

  /** The preset, and what more a config says. */
  const presetWith = (more: string): string => `
    import plugin from 'eslint-plugin-owned-spawn';
    export default [plugin.configs.recommended, ${more}];`;

  const REFUSES =
    "{ languageOptions: { parser: { parse() { throw Object.assign(new Error('not of this project'), { lineNumber: 1 }); } } } }";

  it('keeps its rules and settings where its parser gives way to ours', async () => {
    linkPlugin();
    lay({
      'eslint.config.mjs': presetWith(`${REFUSES},
        { settings: { 'owned-spawn': { allow: [{ from: 'file', path: 'allowed.js', reason: 'ends with the updater, by design' }] } } },
        { files: ['off.js'], rules: { 'owned-spawn/no-detached-spawn': 'off' } },
        { files: ['warns.ts'], rules: { 'owned-spawn/no-detached-spawn': 'warn' } }`),
      'a.js': DETACHED,
      'allowed.js': DETACHED,
      'b.js': 'const a = ;\n',
      'off.js': DETACHED,
      'sloppy.cjs': `with ({}) {}\n`,
      'warns.ts': `const n: number = 1;\n${DETACHED}`,
    });
    const { findings } = await json();
    assert.deepEqual(places(findings), [`a.js:2:1 ${RULE}`, 'b.js:1:11 unparsable', `warns.ts:3:1 ${RULE}`]);
    assert.equal(findings.at(-1)?.severity, 1);
  });

  it('counts for TypeScript and JSX that it does not name, which ESLint leaves out', async () => {
    linkPlugin();
    lay({
      'eslint.config.mjs': presetWith("{ ignores: ['gen/'] }"),
      'src/a.ts': `const n: number = 1;\n${DETACHED}`,
      'src/b.jsx': DETACHED,
      'gen/c.ts': DETACHED,
    });
    assert.deepEqual(places((await json()).findings), [`src/a.ts:3:1 ${RULE}`, `src/b.jsx:2:1 ${RULE}`]);
  });

  it('decides on kinds of file that need a parser', async () => {
    lay({ 'a.vue': `<script>\n${DETACHED}</script>\n` });
    assert.deepEqual(await json(), {
      status: 0,
      findings: [],
      stderr: '1 file skipped, of a kind that only an ESLint config with its parser handles: a.vue\n',
    });
  });

  it('may break down: the file is named, the others are checked, the exit code is 2', async () => {
    lay({
      'eslint.config.mjs': configWith(
        "return { Program: (node) => context.report({ node, message: 'm' }), CallExpression(node) { if (context.filename.endsWith('a.js')) throw new Error('oh no'); } };",
      ),
      'a.js': DETACHED,
      'b.js': DETACHED,
    });
    const { status, findings } = await json();
    assert.equal(status, 2);
    assert.deepEqual(places(findings), [
      'a.js:2:1 crashed',
      'b.js:1:1 owned-spawn/probe',
      'eslint.config.mjs:1:1 owned-spawn/probe',
    ]);
    assert.match(findings[0]?.message ?? '', /owned-spawn\/probe.*oh no/);
    assert.ok(!findings[0]?.message.includes(root));
  });
});
