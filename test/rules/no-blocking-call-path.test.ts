import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ESLint } from 'eslint';
import * as parser from '@typescript-eslint/parser';
import { check } from '../../rules/check/run.ts';
import type { Finding } from '../../rules/check/finding.ts';
import plugin from '../../rules/index.ts';
import { layFiles } from '../helpers/lay-files.ts';

const RULE = 'owned-spawn/no-blocking-call-path';
const battery = resolve(import.meta.dirname, '../battery/blocking');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-path-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const lay = (files: Record<string, string>): void => {
  layFiles(root, files);
};

async function findings(files: Record<string, string>): Promise<Finding[]> {
  lay(files);
  const result = await check({
    paths: [root],
    cwd: root,
    minified: false,
    ignored: false,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  assert.equal(result.failed, false);
  return result.findings.filter(({ ruleId }) => ruleId === RULE);
}

/** `file:line: path` of each finding. */
async function ways(files: Record<string, string>): Promise<string[]> {
  return (await findings(files)).map(({ file, line, message }) => {
    const [, way = ''] = /: (.* → .*?\))[.,]/.exec(message) ?? [];
    return `${file}:${String(line)}: ${way}`;
  });
}

const READ = "import fs from 'node:fs';\nexport function load(p: string) { return fs.readFileSync(p); }\n";

describe('no-blocking-call-path', () => {
  const programs: [name: string, files: Record<string, string>, expected: string[]][] = [
    [
      'a function of another file',
      {
        'lib.ts': READ,
        'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      },
      ['app.ts:2: h → load (app.ts:2) → readFileSync (lib.ts:2)'],
    ],
    [
      'through two files, renamed on the way, with the extension of what is built',
      {
        'lib.ts': READ,
        'outer.ts':
          "import { load as read } from './lib.js';\nexport const outer = (p: string) => read(p);\n",
        'app.ts': "import { outer } from './outer.js';\nexport async function h() { return outer('x'); }\n",
      },
      ['app.ts:2: h → outer (app.ts:2) → read (outer.ts:2) → readFileSync (lib.ts:2)'],
    ],
    [
      'barrels and namespaces',
      {
        'lib/read.ts': READ,
        'lib/index.ts': "export * from './read';\nexport { load as fetch } from './read';\n",
        'app.ts': "import * as lib from './lib';\nexport async function h() { return lib.fetch('x'); }\n",
      },
      ['app.ts:2: h → fetch (app.ts:2) → readFileSync (read.ts:2)'],
    ],
    [
      'default exports under any name',
      {
        'git.ts':
          "import { execSync } from 'node:child_process';\nexport default function () { return execSync('git'); }\n",
        'app.ts': "import anything from './git';\nexport async function h() { return anything(); }\n",
      },
      ['app.ts:2: h → anything (app.ts:2) → execSync (git.ts:2)'],
    ],
    [
      'an API that is exported again',
      {
        'fs.ts': "export { readFileSync as read } from 'node:fs';\n",
        'app.ts': "import { read } from './fs';\nexport async function h() { return read('x'); }\n",
      },
      ['app.ts:2: h → read (app.ts:2) → readFileSync (fs.ts:1)'],
    ],
    [
      'methods of what new makes, and constructors',
      {
        'store.ts': `import { readFileSync, mkdirSync, rmSync } from 'node:fs';
export class Store {
  constructor() { rmSync('old'); }
  get(p: string) { return readFileSync(p); }
}
`,
        'app.ts': `import { Store } from './store';
const store = new Store();
export async function h() { return store.get('x'); }
export async function k() { return new Store(); }
`,
      },
      [
        'app.ts:3: h → get (app.ts:3) → readFileSync (store.ts:4)',
        'app.ts:4: k → Store (app.ts:4) → rmSync (store.ts:3)',
      ],
    ],
    [
      'an interface with one implementation',
      {
        'types.ts': 'export interface Reader { read(p: string): unknown }\n',
        'disk.ts': `import fs from 'node:fs';
import type { Reader } from './types';
export class Disk implements Reader { read(p: string) { return fs.readFileSync(p); } }
`,
        'app.ts':
          "import type { Reader } from './types';\nexport async function h(r: Reader) { return r.read('x'); }\n",
      },
      ['app.ts:2: h → read (app.ts:2) → readFileSync (disk.ts:3)'],
    ],
    [
      'an interface with two implementations says nothing',
      {
        'types.ts': 'export interface Reader { read(p: string): unknown }\n',
        'disk.ts': `import fs from 'node:fs';
import type { Reader } from './types';
export class Disk implements Reader { read(p: string) { return fs.readFileSync(p); } }
export class Memory implements Reader { read(p: string) { return p; } }
`,
        'app.ts':
          "import type { Reader } from './types';\nexport async function h(r: Reader) { return r.read('x'); }\n",
      },
      [],
    ],
    [
      'handlers of another file that are registered by name, with what they block themselves',
      {
        'lib.ts': READ,
        'pages.ts': `import fs from 'node:fs';
import { load } from './lib';
export function list() { return fs.readFileSync('list'); }
function show() { return load('show'); }
function unused() { return load('unused'); }
export default { show, unused };
`,
        'app.ts': `import express from 'express';
import pages, { list } from './pages';
const app = express();
app.get('/', list);
app.get('/show', wrapped(pages.show));
`,
      },
      [
        'pages.ts:3: list → readFileSync (pages.ts:3)',
        'pages.ts:4: show → load (pages.ts:4) → readFileSync (lib.ts:2)',
      ],
    ],
    [
      'functions that a function of another file has called back later',
      {
        'lib.ts': READ,
        'timers.ts': `export function later(fn: () => void) { setTimeout(fn, 9); }
export function each(fn: () => void) { server.on('request', () => { fn(); }); }
export function now(fn: () => void) { fn(); }
`,
        'app.ts': `import { load } from './lib';
import { later, each, now } from './timers';
function a() { load('a'); }
function b() { load('b'); }
function c() { load('c'); }
later(a);
each(b);
now(c);
`,
      },
      [
        'app.ts:3: a → load (app.ts:3) → readFileSync (lib.ts:2)',
        'app.ts:4: b → load (app.ts:4) → readFileSync (lib.ts:2)',
      ],
    ],
    [
      'methods of a receiver without a type that is named after a class',
      {
        'database.js': `const fs = require('fs');
class Database { update() { fs.writeFileSync('db', ''); } }
module.exports = Database;
`,
        'entity.js': `class Entity { static database = null; static inject(database) { Entity.database = database; } }
module.exports = Entity;
`,
        'app.js': `const Entity = require('./entity');
exports.save = async () => { Entity.database.update(); };
exports.other = async (things) => { things.update(); };
`,
      },
      ['app.js:2: save → update (app.js:2) → writeFileSync (database.js:2)'],
    ],
    [
      'an override of an abstract method',
      {
        'base.ts': 'export abstract class Base { abstract read(): unknown; run() { return this.read(); } }\n',
        'disk.ts': `import fs from 'node:fs';
import { Base } from './base';
export class Disk extends Base { read() { return fs.readFileSync('x'); } }
`,
        'app.ts': "import { Disk } from './disk';\nexport async function h() { return new Disk().run(); }\n",
      },
      ['app.ts:2: h → run (app.ts:2) → read (base.ts:1) → readFileSync (disk.ts:3)'],
    ],
    [
      'a function that is handed to one of ours',
      {
        'lib.ts': READ,
        'each.ts':
          'export function withPath(fn: (p: string) => unknown) { return fn(String(1)); }\nexport function keep(fn: unknown) { return [fn]; }\n',
        'app.ts': `import { load } from './lib';
import { keep, withPath } from './each';
export async function h() { return withPath(load); }
export async function k() { return withPath((p) => load(p)); }
export async function l() { return keep(load); }
`,
      },
      [
        'app.ts:3: h → load (app.ts:3) → readFileSync (lib.ts:2)',
        'app.ts:4: k → load (app.ts:4) → readFileSync (lib.ts:2)',
      ],
    ],
    [
      'dynamic imports',
      {
        'lib.ts': READ,
        'app.ts':
          "export async function h() { return (await import('./lib')).load('x'); }\nexport async function k() { const { load } = await import('./lib'); return load('x'); }\n",
      },
      [
        'app.ts:1: h → load (app.ts:1) → readFileSync (lib.ts:2)',
        'app.ts:2: k → load (app.ts:2) → readFileSync (lib.ts:2)',
      ],
    ],
    [
      'CommonJS',
      {
        'lib.js':
          "const fs = require('fs');\nfunction load(p) { return fs.readFileSync(p); }\nmodule.exports = { load, read: load };\n",
        'whole.js':
          "const fs = require('fs');\nmodule.exports = function (p) { return fs.readFileSync(p); };\n",
        'app.js': `const { load } = require('./lib');
const lib = require('./lib');
const whole = require('./whole');
exports.a = async () => load('x');
exports.b = async () => lib.read('x');
exports.c = async () => whole('x');
`,
      },
      [
        'app.js:4: a → load (app.js:4) → readFileSync (lib.js:2)',
        'app.js:5: b → read (app.js:5) → readFileSync (lib.js:2)',
        'app.js:6: c → whole (app.js:6) → readFileSync (whole.js:2)',
      ],
    ],
    [
      'packages of the workspace by their names, and path mappings',
      {
        'package.json': '{ "workspaces": ["packages/*"] }',
        'packages/core/package.json': '{ "name": "@own/core", "main": "dist/index.js" }',
        'packages/core/src/index.ts': READ,
        'packages/app/package.json': '{ "name": "@own/app" }',
        'packages/app/tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
        'packages/app/src/near.ts': READ,
        'packages/app/src/a.ts':
          "import { load } from '@own/core';\nexport async function h() { return load('x'); }\n",
        'packages/app/src/b.ts':
          "import { load } from '~/near';\nexport async function h() { return load('x'); }\n",
      },
      [
        'packages/app/src/a.ts:2: h → load (a.ts:2) → readFileSync (index.ts:2)',
        'packages/app/src/b.ts:2: h → load (b.ts:2) → readFileSync (near.ts:2)',
      ],
    ],
    [
      'packages that export what is no module',
      {
        'packages/core/package.json':
          '{ "name": "@own/core", "exports": { ".": "./index.ts", "./package.json": "./package.json" } }',
        'packages/core/index.ts': READ,
        'packages/app/package.json': '{ "name": "@own/app" }',
        'packages/app/a.ts':
          "import { load } from '@own/core';\nimport core from '@own/core/package.json';\nexport async function h() { return load(core.name); }\n",
      },
      ['packages/app/a.ts:3: h → load (a.ts:3) → readFileSync (index.ts:2)'],
    ],
    [
      'functions that call each other in a circle',
      {
        'a.ts': `import { odd } from './b';
export function even(n: number): unknown { return n === 0 ? undefined : odd(n - 1); }
`,
        'b.ts': `import fs from 'node:fs';
import { even } from './a';
export function odd(n: number): unknown { fs.readFileSync('x'); return even(n - 1); }
`,
        'app.ts': "import { even } from './a';\nexport async function h() { return even(4); }\n",
      },
      ['app.ts:2: h → even (app.ts:2) → odd (a.ts:2) → readFileSync (b.ts:3)'],
    ],
    [
      'nothing past an async function, which reports for itself',
      {
        'lib.ts':
          "import fs from 'node:fs';\nexport async function load(p: string) { return fs.readFileSync(p); }\n",
        'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      },
      [],
    ],
    [
      'nothing through what a marker excuses',
      {
        'lib.ts': `import fs from 'node:fs';
// blocking-call: ok — the file is a few bytes long
export function load(p: string) { return fs.readFileSync(p); }
export function read(p: string) { return fs.readFileSync(p); }
`,
        'app.ts': `import { load, read } from './lib';
export async function h() { return load('x'); }
export async function k() {
  // blocking-call: ok — once in a process and small
  return read('x');
}
`,
      },
      [],
    ],
    [
      'nothing in a worker, at the top level or in what stays in one file',
      {
        'lib.ts': READ,
        'resize.worker.ts':
          "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
        'top.ts': "import { load } from './lib';\nexport const config = load('config');\n",
        'one.ts': READ + "export async function h() { return load('x'); }\n",
      },
      [],
    ],
    [
      'names that are somebody else’s',
      {
        'lib.ts': READ,
        'other.ts': 'export function load(p: string) { return p; }\n',
        'app.ts': "import { load } from './other';\nexport async function h() { return load('x'); }\n",
      },
      [],
    ],
  ];
  for (const [name, files, expected] of programs) {
    it(`reports ${name}`, async () => {
      assert.deepEqual(await ways(files), expected);
    });
  }

  it('reports SQLite with what the call does', async () => {
    const [finding] = await findings({
      'db.ts': `import Database from 'better-sqlite3';
const db = new Database('x.db');
export function add(name: string) { db.prepare('insert into t values (?)').run(name); }
`,
      'app.ts': "import { add } from './db';\nexport async function h() { add('x'); }\n",
    });
    assert.match(finding?.message ?? '', /→ .* \(db\.ts:3\), which writes\. Use `openDatabase`/);
  });

  it('gives the path with files, lines and columns, and the API', async () => {
    const [finding] = await findings({
      'lib/read.ts': READ,
      'app.ts': "import { load } from './lib/read';\nexport async function h() { return load('x'); }\n",
    });
    assert.equal(finding?.callee, 'fs.readFileSync');
    assert.equal(finding.symbol, 'h');
    assert.deepEqual(finding.path, [
      { name: 'load', file: 'app.ts', line: 2, column: 36 },
      { name: 'readFileSync', file: 'lib/read.ts', line: 2, column: 45 },
    ]);
    assert.deepEqual([finding.column, finding.endColumn], [36, 40]);
  });

  it('tells the three of the battery', async () => {
    const names = ['b13-helper-other-file.ts', 'b14-helper-two-deep.ts', 'b31-reexport.ts'];
    const files = [...names, 'lib/helper.ts', 'lib/outer.ts', 'lib/reexport.ts'];
    const laid = Object.fromEntries(files.map((name) => [name, readFileSync(join(battery, name), 'utf8')]));
    assert.deepEqual(
      (await findings(laid)).map(({ file }) => file),
      names,
    );
  });

  it("warns of ESLint's --cache, which does not know the files that a path leads to", () => {
    const url = (name: string) =>
      JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../..', name)).href);
    lay({
      'lib.ts': READ,
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      'tsconfig.json':
        '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "types": [] } }',
      'eslint.config.mjs': `import parser from ${url('node_modules/@typescript-eslint/parser/dist/index.js')};
import plugin from ${url('rules/dist/index.js')};
export default [{
  files: ['**/*.ts'],
  plugins: { 'owned-spawn': plugin },
  rules: { '${RULE}': 'error' },
  languageOptions: { parser, parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
}];`,
    });
    const lint = (...flags: string[]) =>
      spawnSync(
        process.execPath,
        [resolve(import.meta.dirname, '../../node_modules/eslint/bin/eslint.js'), ...flags, 'app.ts'],
        { cwd: root, encoding: 'utf8' },
      );
    for (const { flags, warns } of [
      { flags: [], warns: false },
      { flags: ['--cache', '--cache-location', '.cache'], warns: true },
    ]) {
      const { status, stdout, stderr } = lint(...flags);
      assert.equal(status, 1, stderr);
      assert.match(stdout, /h → load \(app\.ts:2\)/);
      assert.equal(stderr.includes('looks at other files, which `--cache` does not'), warns, stderr);
    }
  });

  it('finds the same in ESLint with a program of its own', async () => {
    const files = {
      'lib.ts': READ,
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      'tsconfig.json':
        '{ "compilerOptions": { "types": [], "module": "esnext", "moduleResolution": "bundler" } }',
    };
    const expected = (await findings(files)).map(({ message, line, column }) => ({ message, line, column }));
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.ts'],
          plugins: { 'owned-spawn': plugin },
          rules: { [RULE]: 'error' },
          languageOptions: {
            parser,
            parserOptions: { project: './tsconfig.json', tsconfigRootDir: root },
          },
        },
      ],
    });
    const results = await eslint.lintFiles(['app.ts']);
    assert.deepEqual(
      results.flatMap(({ messages }) =>
        messages.map(({ message, line, column }) => ({ message, line, column })),
      ),
      expected,
    );
    assert.equal(expected.length, 1);
  });
});
