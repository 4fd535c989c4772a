import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModule } from '../../../../rules/read/module-view.ts';
import { findSpawns } from '../../../../rules/read/spawns.ts';
import { sitesOf, isReported } from './sites-of.ts';

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
