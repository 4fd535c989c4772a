import { describeWays, READ } from './ways.ts';

describeWays({
  'methods of what new makes, and constructors': [
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
  'an interface with one implementation': [
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
  'an interface with two implementations says nothing': [
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
  'handlers of another file that are registered by name, with what they block themselves': [
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
  'functions that a function of another file has called back later': [
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
  'methods of a receiver without a type that is named after a class': [
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
  'an override of an abstract method': [
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
  'a function that is handed to one of ours': [
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
  'functions that call each other in a circle': [
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
});
