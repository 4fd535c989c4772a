import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModule } from '../../../rules/read/module-view.ts';
import { findSpawns } from '../../../rules/read/spawns.ts';

/** `verdict form line:cause` of every site, in the order of the text; lines count from the first line of the code. */
function sitesOf(code: string, filename = 'a.ts'): string[] {
  return findSpawns(parseModule(code, filename)).map(({ verdict, form, call, cause }) => {
    const at = `${String(call.loc.start.line)}:${cause ? String(cause.loc.start.line) : '-'}`;
    return `${verdict.is} ${form} ${at}`;
  });
}

const isReported = (line: string) => /^(yes|maybe)/.test(line);

describe('callees', () => {
  const imported: Record<string, string> = {
    named: `import { spawn } from 'child_process'; spawn('a', [], { detached: true });`,
    'with node:': `import { spawn } from 'node:child_process'; spawn('a', [], { detached: true });`,
    renamed: `import { spawn as start } from 'child_process'; start('a', [], { detached: true });`,
    default: `import cp from 'child_process'; cp.spawn('a', [], { detached: true });`,
    namespace: `import * as cp from 'child_process'; cp.spawn('a', [], { detached: true });`,
    'default of a namespace': `import * as cp from 'child_process'; cp.default.spawn('a', [], { detached: true });`,
    'import = require': `import cp = require('child_process'); cp.spawn('a', [], { detached: true });`,
    require: `const cp = require('child_process'); cp.spawn('a', [], { detached: true });`,
    'require at the call': `require('child_process').spawn('a', [], { detached: true });`,
    'require, destructured and renamed': `const { spawn: s } = require('child_process'); s('a', [], { detached: true });`,
    'require, nested': `const { cp: { spawn } } = { cp: require('child_process') }; spawn('a', [], { detached: true });`,
    'require, assigned later': `let cp; cp = require('child_process'); cp.spawn('a', [], { detached: true });`,
    createRequire: `import { createRequire } from 'node:module';
const load = createRequire(import.meta.url); load('child_process').spawn('a', [], { detached: true });`,
    getBuiltinModule: `process.getBuiltinModule('child_process').spawn('a', [], { detached: true });`,
    'dynamic import': `const { spawn } = await import('child_process'); spawn('a', [], { detached: true });`,
    'dynamic import, then': `import('child_process').then(({ spawn }) => spawn('a', [], { detached: true }));`,
    alias: `import { spawn } from 'child_process'; const run = spawn; run('a', [], { detached: true });`,
    call: `import { spawn } from 'child_process'; spawn.call(null, 'a', [], { detached: true });`,
    apply: `import { spawn } from 'child_process'; spawn.apply(null, ['a', [], { detached: true }]);`,
    'Reflect.apply': `import { spawn } from 'child_process'; Reflect.apply(spawn, null, ['a', [], { detached: true }]);`,
    bind: `import { spawn } from 'child_process'; const run = spawn.bind(null, 'a'); run([], { detached: true });`,
    computed: `import * as cp from 'child_process'; const key = 'spawn'; cp[key]('a', [], { detached: true });`,
    'compiled by TypeScript': `const child_process_1 = require('child_process'); (0, child_process_1.spawn)('a', [], { detached: true });`,
    'compiled by Babel': `var _cp = _interopRequireDefault(require('child_process')); _cp.default.spawn('a', [], { detached: true });`,
    'compiled by Babel, lazily': `function _cp() { const data = require('child_process'); _cp = function () { return data; }; return data; }
_cp().spawn('a', [], { detached: true });`,
    'compiled by esbuild': `var import_cp = __toESM(require('child_process')); (0, import_cp.spawn)('a', [], { detached: true });`,
    'wrapped in types': `import * as cp from 'child_process'; ((cp as any).spawn!)('a', [], { detached: true } satisfies object);`,
    'a field': `import { spawn } from 'child_process';
class A { run = spawn; go() { this.run('a', [], { detached: true }); } }`,
    'a field set in the constructor': `import { spawn } from 'child_process';
class A { constructor(s) { this.run = s ?? spawn; } go() { this.run('a', [], { detached: true }); } }`,
    'a parameter with a default': `import { spawn } from 'child_process';
export function open(run = spawn) { run('a', [], { detached: true }); }`,
    'a parameter with a type': `import type { spawn } from 'child_process';
export function open(run: typeof spawn) { run('a', [], { detached: true }); }`,
    dependencies: `import { spawn } from 'child_process';
export function open(deps = { spawn }) { deps.spawn('a', [], { detached: true }); }`,
    'dependencies with a type': `import type { spawn } from 'child_process';
interface Deps { start: typeof spawn }
export function open(deps: Deps) { deps.start('a', [], { detached: true }); }`,
    'a bundled name': `import { spawn as spawn$1 } from 'child_process'; spawn$1('a', [], { detached: true });`,
    'injected, known by its shape': `class A { go() { this.$childProcess.spawn('a', ['b'], { detached: true }); } }`,
    'imported wrapper that also logs': `import { spawnAndLog } from './spawn.js'; spawnAndLog('a', [], { detached: true });`,
    'imported wrapper, known by its shape': `import { spawnHidden } from './spawn.js'; spawnHidden('a', [], { detached: true, stdio: 'ignore' });`,
    'spread arguments': `import { spawn } from 'child_process'; spawn(...command, { detached: true });`,
    Bun: `Bun.spawn(['a'], { detached: true });`,
    Deno: `new Deno.Command('a', { detached: true });`,
    'execa, options first': `import { $ } from 'execa'; $({ detached: true })\`a\`;`,
    'tinyexec, persist': `import { x } from 'tinyexec'; x('a', [], { persist: true });`,
    'tinyexec, nested': `import { x } from 'tinyexec'; x('a', [], { nodeOptions: { detached: true } });`,
    'cross-spawn': `const spawn = require('cross-spawn'); spawn('a', [], { detached: true });`,
    'nano-spawn': `import spawn from 'nano-spawn'; spawn('a', [], { detached: true });`,
    teen_process: `import { SubProcess } from 'teen_process'; new SubProcess('a', [], { detached: true });`,
    'execSync honours it': `import { execSync } from 'child_process'; execSync('a', { detached: true });`,
  };
  for (const [name, code] of Object.entries(imported)) {
    it(`knows ${name}`, () => {
      const reported = sitesOf(code).filter(isReported);
      assert.equal(reported.length, 1, String(reported));
      assert.match(reported[0] ?? '', /^yes option/);
    });
  }

  const others: Record<string, string> = {
    'a shadowing parameter': `import { spawn } from 'child_process'; export function f(spawn) { spawn('a', { detached: true }); }`,
    'a namesake of another module': `import { spawn } from './actors.js'; spawn('wolf', { detached: true });`,
    'a method of something': `world.spawn('goblin', { detached: true });`,
    'an assertion': `expect(spawn).toHaveBeenCalledWith('a', [], expect.objectContaining({ detached: true, stdio: 'ignore' }));`,
    'a debug channel': `const debugLaunch = debug('app:launch'); debugLaunch('launching', ['a'], { detached: true, env: {} });`,
    'a logger': `logger.launch({ env: {}, detached: true });`,
    'a logger of an object': `this.log.spawn('a', ['b'], { detached: true });`,
    'a log by its last word': `spawnLog('a', ['b'], { detached: true });`,
    'a log record': `logSpawned({ command: 'a', cwd: '/', detached: true });`,
    'a signature option': `openpgp.sign({ message, detached: true });`,
    'a tree kill': `killProcessTree(child, { detached: true });`,
    'the state of a panel': `class Dock { detached = true; }`,
    'a table of flags': `export const flags = { detached: { type: 'boolean' } };`,
    'a string': `export const help = "require('child_process').spawn('x', [], { detached: true })";`,
    'a callback': `options.onSpawn?.({ command, detached: true, cwd });`,
    'a function called require': `function require(name) { return { spawn() {} }; } require('child_process').spawn('a', { detached: true });`,
  };
  for (const [name, code] of Object.entries(others)) {
    it(`is silent about ${name}`, () => {
      assert.deepEqual(sitesOf(code).filter(isReported), []);
    });
  }
});

describe('options', () => {
  const IMPORT = `import { spawn } from 'child_process';`;
  const forms: Record<string, [code: string, expected: string[]]> = {
    inline: [`spawn('a', [], { detached: true });`, ['yes option 2:2']],
    'without arguments': [`spawn('a', { detached: true });`, ['yes option 2:2']],
    'quoted key': [`spawn('a', [], { 'detached': true });`, ['yes option 2:2']],
    'computed key': [`const KEY = 'detached';\nspawn('a', [], { [KEY]: true });`, ['yes option 3:3']],
    minified: [`spawn('a', [], { detached: !0 });`, ['yes option 2:2']],
    false: [`spawn('a', [], { detached: false });`, ['no option 2:2']],
    undefined: [`spawn('a', [], { detached: undefined });`, ['no option 2:2']],
    none: [`spawn('a', [], { stdio: 'ignore' });`, ['no option 2:-']],
    variable: [`const o = { detached: true };\nspawn('a', [], o);`, ['yes option 3:2']],
    'variable, annotated': [
      `const o: SpawnOptions = { detached: true };\nspawn('a', [], o);`,
      ['yes option 3:2'],
    ],
    spread: [`const o = { detached: true };\nspawn('a', [], { ...o, cwd });`, ['yes option 3:2']],
    'spread that is overridden': [
      `const o = { detached: true };\nspawn('a', [], { ...o, detached: false });`,
      ['no option 3:3'],
    ],
    'spread that overrides': [
      `const o = { detached: false };\nspawn('a', [], { detached: true, ...o });`,
      ['no option 3:2'],
    ],
    'conditional spread': [
      `spawn('a', [], { ...(isWindows ? {} : { detached: true }) });`,
      ['yes option 2:2'],
    ],
    'spread of a condition': [`spawn('a', [], { ...(quiet && { detached: true }) });`, ['maybe option 2:2']],
    'Object.assign': [`spawn('a', [], Object.assign({}, { detached: true }, { cwd }));`, ['yes option 2:2']],
    'Object.assign onto it': [
      `const o = {};\nObject.assign(o, { detached: true });\nspawn('a', [], o);`,
      ['yes option 4:3'],
    ],
    '_.defaults': [`spawn('a', [], _.defaults({}, options, { detached: true }));`, ['yes option 2:2']],
    '_.omit': [`spawn('a', [], _.omit({ detached: true, cwd }, 'detached'));`, ['no option 2:-']],
    'TypeScript __assign': [
      `spawn('a', [], __assign(__assign({}, o), { detached: true }));`,
      ['yes option 2:2'],
    ],
    'assigned later': [`const o = {};\no.detached = true;\nspawn('a', [], o);`, ['yes option 4:3']],
    'assigned after': [`const o = {};\nspawn('a', [], o);\no.detached = true;`, ['no option 3:-']],
    'assigned by a quoted name': [
      `const o = {};\no['detached'] = true;\nspawn('a', [], o);`,
      ['yes option 4:3'],
    ],
    'assigned and taken back': [
      `const o = { detached: true };\no.detached = false;\nspawn('a', [], o);`,
      ['no option 4:3'],
    ],
    'assigned and deleted': [
      `const o = { detached: true };\ndelete o.detached;\nspawn('a', [], o);`,
      ['no option 4:-'],
    ],
    'assigned on some systems': [
      `const o = {};\nif (process.platform !== 'win32') o.detached = true;\nspawn('a', [], o);`,
      ['yes option 4:3'],
    ],
    'assigned in some runs': [
      `const o = {};\nif (daemon) o.detached = true;\nspawn('a', [], o);`,
      ['maybe option 4:3'],
    ],
    'assigned in the other branch': [
      `const o = {};\nif (daemon) o.detached = true;\nelse spawn('a', [], o);`,
      ['no option 4:-'],
    ],
    '??=': [
      `export function f(o) {\no.detached ??= process.platform !== 'win32';\nspawn('a', [], o);\n}`,
      ['yes option 4:3'],
    ],
    'a variable set twice': [
      `let o = {};\nif (x) o = { detached: true };\nspawn('a', [], o);`,
      ['maybe option 4:3'],
    ],
    platform: [`spawn('a', [], { detached: process.platform !== 'win32' });`, ['yes option 2:2']],
    'platform by a constant': [
      `const isWindows = os.platform() === 'win32';\nspawn('a', [], { detached: !isWindows });`,
      ['yes option 3:3'],
    ],
    'platform by a flag of elsewhere': [
      `import { isWindows } from './os.js';\nspawn('a', [], { detached: !isWindows });`,
      ['yes option 3:3'],
    ],
    'a test at run time': [`spawn('a', [], { detached: shouldDetach() });`, ['maybe option 2:2']],
    'another option': [
      `export function f(options) { spawn('a', [], { detached: options.background }); }`,
      ['maybe option 2:2'],
    ],
    'ternary options': [`spawn('a', [], quick ? {} : { detached: true });`, ['maybe option 2:2']],
    'true by default': [
      `export function f(o) { spawn('a', [], { detached: o.detached ?? true }); }`,
      ['yes option 2:2'],
    ],
    'true unless false': [
      `export function f(o) { spawn('a', [], { detached: o.detached !== false }); }`,
      ['yes option 2:2'],
    ],
    'a parameter with a default': [
      `export function f(detached = true) { spawn('a', [], { detached }); }`,
      ['yes option 2:2'],
    ],
    'a destructured default': [
      `export function f({ detached = true }) { spawn('a', [], { detached }); }`,
      ['yes option 2:2'],
    ],
    'handed on': [
      `export function f(o) { spawn('a', [], { detached: o.detached }); }`,
      ['unknown option 2:2'],
    ],
    'handed on as a whole': [`export function f(o) { spawn('a', [], o); }`, ['unknown option 2:-']],
    'out of sight': [
      `import { options } from './options.js';\nspawn('a', [], options);`,
      ['unknown option 3:-'],
    ],
    factory: [`const make = () => ({ detached: true });\nspawn('a', [], make());`, ['yes option 3:2']],
    'factory with an argument': [
      `const make = (o) => ({ cwd, ...o });\nspawn('a', [], make({ detached: true }));`,
      ['yes option 3:3'],
    ],
    'factory in a factory': [
      `const make = (o) => ({ cwd, ...o });\nspawn('a', [], make(make({ detached: true })));`,
      ['yes option 3:3'],
    ],
    'factory with two returns': [
      `function make() {\nif (quick) return {};\nreturn { detached: true };\n}\nspawn('a', [], make());`,
      ['maybe option 6:4'],
    ],
    'a method': [
      `class A {\nmake() { return { detached: true }; }\ngo() { spawn('a', [], this.make()); }\n}`,
      ['yes option 4:3'],
    ],
    'an async method': [
      `class A {\nasync make() { return { detached: true }; }\nasync go() { spawn('a', [], await this.make()); }\n}`,
      ['yes option 4:3'],
    ],
    'a field': [
      `class A {\noptions = { detached: true };\ngo() { spawn('a', [], this.options); }\n}`,
      ['yes option 4:3'],
    ],
    'a static field': [
      `class A {\nstatic options = { detached: true };\ngo() { spawn('a', [], A.options); }\n}`,
      ['yes option 4:3'],
    ],
    'a field set in the constructor': [
      `class A {\nconstructor() { this.options = { detached: true }; }\ngo() { spawn('a', [], this.options); }\n}`,
      ['yes option 4:3'],
    ],
    'a getter': [
      `class A {\nget options() { return { detached: true }; }\ngo() { spawn('a', [], this.options); }\n}`,
      ['yes option 4:3'],
    ],
    'a prototype': [
      `function A() { this.o = {}; }\nA.prototype.go = function () {\nthis.o.detached = true;\nspawn('a', [], this.o);\n};`,
      ['yes option 5:4'],
    ],
    nested: [
      `const config = { spawn: { detached: true } };\nspawn('a', [], config.spawn);`,
      ['yes option 3:2'],
    ],
    'rest of an object': [
      `const { detached, ...rest } = { detached: true, cwd };\nspawn('a', [], rest);`,
      ['no option 3:-'],
    ],
    'handed out as a field': [
      `export class Owner {\nspawnOptions = { shell: true, detached: true };\n}`,
      ['yes option 3:3'],
    ],
    'a cycle': [`let o = p; var p = o;\nspawn('a', [], o);`, ['unknown option 3:-']],
  };
  for (const [name, [code, expected]] of Object.entries(forms)) {
    it(`reads ${name}`, () => {
      assert.deepEqual(sitesOf(`${IMPORT}\n${code}`), expected);
    });
  }

  it('reports a wrapper that decides once, at the wrapper', () => {
    const code = `${IMPORT}
function launch(cmd, opts) {
  return spawn(cmd, { detached: true, ...opts });
}
launch('a');
launch('b', { cwd: '/' });`;
    assert.deepEqual(sitesOf(code), ['yes option 3:3']);
  });

  it('reports the callers of a wrapper that hands the option on', () => {
    const code = `${IMPORT}
function launch(cmd, opts) {
  return spawn(cmd, { stdio: 'ignore', ...opts });
}
const again = (cmd, detached) => launch(cmd, { detached });
launch('a', { detached: true });
launch('b', { detached: false });
again('c', true);
again('d', false);`;
    assert.deepEqual(sitesOf(code).filter(isReported), ['yes option 6:6', 'yes option 8:5']);
  });
});

describe('commands', () => {
  const forms: Record<string, [code: string, expected: string]> = {
    launcher: [`cp.spawn('setsid', ['a']);`, 'yes launcher'],
    'launcher behind sudo': [`cp.spawn('sudo', ['systemd-run', 'a']);`, 'yes launcher'],
    'launcher that waits': [`cp.spawn('systemd-run', ['--wait', 'a']);`, 'no option'],
    'launcher by a constant': [`const file = '/usr/bin/nohup'; cp.spawn(file, ['a']);`, 'yes launcher'],
    'argument that names one': [`cp.spawn('which', ['setsid']);`, 'no option'],
    'line with &': [`cp.exec('a &');`, 'yes shell'],
    'line with &&': [`cp.exec('a && b 2>&1');`, 'no ineffective'],
    'template with holes': ['cp.exec(`${file} --quiet > /dev/null 2>&1 &`);', 'yes shell'],
    concatenation: [`cp.exec('nohup ' + file + ' &');`, 'yes shell'],
    'joined list': [`cp.exec(['nohup', file, '&'].join(' '));`, 'yes shell'],
    'assigned in a branch': [
      `let line = ''; if (x) line = 'a'; else line = 'b &'; cp.exec(line);`,
      'yes shell',
    ],
    'sh -c': [`cp.spawn('sh', ['-c', 'a &']);`, 'yes shell'],
    'sh -c of a container': [
      `cp.spawn('docker', ['exec', name, 'bash', '-c', 'nohup a & disown']);`,
      'yes shell',
    ],
    'shell: true': [`cp.spawn('a &', { shell: true });`, 'yes shell'],
    'no shell': [`cp.spawn('a &');`, 'no option'],
    'node -e': [
      `cp.spawn(process.execPath, ['-e', "require('child_process').spawn('a', [], { detached: true })"]);`,
      'yes launcher',
    ],
    'node -e without': [`cp.spawn('node', ['-e', "require('child_process').spawn('a')"]);`, 'no option'],
  };
  for (const [name, [code, expected]] of Object.entries(forms)) {
    it(`reads a ${name}`, () => {
      const [site = ''] = sitesOf(`import cp from 'child_process';\n${code}`);
      assert.equal(site.split(' ').slice(0, 2).join(' '), expected);
    });
  }

  it('reads the line that a wrapper is given', () => {
    const code = `import { exec } from 'child_process';
const run = (line) => exec(line);
run('a');
run('a &');`;
    assert.deepEqual(sitesOf(code).filter(isReported), ['yes shell 4:4']);
  });

  it('reads the line that a wrapper out of sight is given', () => {
    assert.deepEqual(sitesOf(`sshExec(host, 'setsid a > /dev/null 2>&1 &');`), ['yes shell 1:1']);
  });

  it('reads a script that is written to be run', () => {
    const code = `fs.writeFileSync('run.sh', '#!/bin/sh\\nnohup a > log 2>&1 &\\n');`;
    assert.deepEqual(sitesOf(code), ['yes shell 1:1']);
  });
});

describe('options that do nothing', () => {
  for (const api of ['exec', 'execFile', 'promisify(exec)']) {
    it(`says so of ${api}`, () => {
      const code = `import { exec, execFile } from 'child_process';
import { promisify } from 'node:util';
const run = ${api};
run('a', { detached: true });`;
      assert.deepEqual(sitesOf(code), ['yes ineffective 4:4']);
    });
  }
});

describe('owned-spawn', () => {
  it('lets an owned group have something in the background', () => {
    const owned = (call: string) =>
      sitesOf(`import { spawnOwned } from 'owned-spawn';\n${call};`).filter(isReported);
    assert.deepEqual(owned(`spawnOwned('sh', ['-c', 'a & b'])`), []);
    assert.deepEqual(owned(`spawnOwned('sh', ['-c', 'setsid a & b'])`), ['yes shell 2:2']);
  });

  const IMPORT = `import { spawnDetached, spawnOwned } from 'owned-spawn';`;

  it('takes a literal why for an answer', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnDetached('a', [], { why: 'the user closes it' });`), [
      'no option 1:1',
    ]);
  });

  it('asks for one that is missing', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnDetached('a', []);`).filter(isReported).length, 1);
  });

  it('is silent about spawnOwned', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnOwned('a', [], {});`).filter(isReported), []);
  });
});

describe('languages', () => {
  const code = `const cp = require('child_process'); cp.spawn('a', [], { detached: true });`;
  for (const filename of ['a.js', 'a.cjs', 'a.mjs', 'a.jsx', 'a.ts', 'a.cts', 'a.mts', 'a.tsx', 'a']) {
    it(`reads ${filename}`, () => {
      assert.deepEqual(sitesOf(code, filename), ['yes option 1:1']);
    });
  }

  it('says where a text is no module', () => {
    assert.throws(() => parseModule('const = 1;', 'a.js'), { name: 'SyntaxError', line: 1, column: 6 });
  });
});

describe('a callee that may be one of several', () => {
  const head = `import { exec, spawn, spawnSync } from 'node:child_process';`;
  const starts: Record<string, string> = {
    'a choice': `const start = debug ? spawnSync : spawn; start('a', [], { detached: true });`,
    'the other way round': `const start = debug ? spawn : spawnSync; start('a', [], { detached: true });`,
    'a default': `const start = sync ?? spawn; start('a', [], { detached: true });`,
    'an assignment': `let start = spawnSync; if (!debug) start = spawn; start('a', [], { detached: true });`,
    'assignments only': `let start; if (debug) start = spawnSync; else start = spawn; start('a', [], { detached: true });`,
    'a function': `const choose = (debug) => (debug ? spawnSync : spawn); choose(1)('a', [], { detached: true });`,
    'one that ignores the option': `const start = shell ? exec : spawn; start('a', [], { detached: true });`,
  };
  for (const [name, code] of Object.entries(starts)) {
    it(`is named by the one that starts a child and goes on: ${name}`, () => {
      const sites = findSpawns(parseModule(`${head}\n${code}`, 'a.ts'));
      assert.deepEqual(
        sites.map(({ api, form, verdict }) => [api, form, verdict.is]),
        [['child_process.spawn', 'option', 'yes']],
      );
    });
  }

  it('is the synchronous one where there is no other', () => {
    const code = `const start = debug ? spawnSync : undefined; start('a', [], { detached: true });`;
    assert.equal(findSpawns(parseModule(`${head}\n${code}`, 'a.ts'))[0]?.api, 'child_process.spawnSync');
  });
});

describe('the cause', () => {
  const causes: Record<string, string> = {
    'a flag of the constructor': `
class A { constructor(debug) { this.debug = !!debug; }
  go() { spawn('a', [],
    { detached: !this.debug }); } }`,
    'a flag of a method': `
class A { debug = false; set() { this.debug = process.env.DEBUG === '1'; }
  go() { spawn('a', [],
    { detached: !this.debug }); } }`,
    'a flag of an object': `
const flags = { background: true };
spawn('a', [],
  { detached: flags.background });`,
    'a flag, by a function of options': `
class A { isWindows = process.platform === 'win32';
  go() { spawn('a', [], this.options()); }
  options() { return { detached: !this.isWindows }; } }`,
  };
  for (const [name, code] of Object.entries(causes)) {
    it(`is the option, not ${name}`, () => {
      assert.match(sitesOf(`import { spawn } from 'child_process';${code}`).join(), /^\w+ option 3:4$/);
    });
  }

  it('is what a caller gives, under whatever name', () => {
    const code = `import { spawn } from 'child_process';
const run = (options) => spawn('a', [], { detached: options.background });
run({
  background: true });`;
    assert.deepEqual(sitesOf(code), ['unknown option 2:2', 'yes option 3:4']);
  });

  it("is another option's own", () => {
    const code = `import { spawn } from 'child_process';
const base = { detached: true };
spawn('a', [], { detached: base.detached });`;
    assert.deepEqual(sitesOf(code), ['yes option 3:2']);
  });
});
