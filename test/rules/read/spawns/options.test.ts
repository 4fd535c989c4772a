import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sitesOf, isReported } from './sites-of.ts';

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
