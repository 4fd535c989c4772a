import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Project, run } from '../project.ts';
import { moved } from './plan.ts';

const PUBLIC = JSON.stringify({ name: 'lib', type: 'module', main: './index.ts' });
const PRIVATE = JSON.stringify({ name: 'app', type: 'module', private: true });
const MODULES = join(import.meta.dirname, '../../../node_modules');
const TSX = pathToFileURL(join(MODULES, 'tsx/dist/loader.mjs')).href;

/** A server that asks itself once, and prints what it is answered and what the synchronous functions gave before. */
const asking = (handler: string, sync: string): string => `import { createServer } from 'node:http';
const before = ${sync};
const server = createServer((req, res) => { res.end(JSON.stringify(${handler})); }).listen(0, async () => {
  const answer = await fetch('http://localhost:' + server.address().port);
  console.log(await answer.text(), JSON.stringify(before));
  server.close();
});
`;

const outputOf = async (files: Readonly<Record<string, string>>, main: string): Promise<string> => {
  using project = new Project(files);
  const { stdout, stderr, code } = await run(process.execPath, ['--import', TSX, main], project.folder);
  assert.equal(code, 0, stderr);
  return stdout;
};

/** Migrates a program with twins; it says the same as before when it runs. */
async function twinned(files: Readonly<Record<string, string>>, main: string): ReturnType<typeof moved> {
  const result = await moved(files, { twins: true });
  assert.equal(await outputOf(result.texts, main), await outputOf(files, main));
  return result;
}

const LIB = `import { readFileSync } from 'node:fs';

/**
 * Loads a file.
 * @returns {string} its text
 */
export function load(file: string): string {
  return read(file).trim();
}

// Only for this module.
function read(file: string): string {
  return readFileSync(file, 'utf8');
}

export const size = (file: string): number => load(file).length;
`;
const INDEX = `export { load } from './lib.ts';
export { size as length } from './lib.ts';
`;
const SERVER = `import { load, length } from './index.ts';
import { load as text } from './lib.ts';
${asking(`load('a.txt') + length('a.txt') + one('a.txt').join()`, `[load('a.txt'), text('a.txt')]`)}
function one(file: string): string[] { return text(file).split(''); }
`;

describe('--twins', () => {
  it('writes a twin beside each function that stays, down to the blocking call, for callers on the loop', async () => {
    const { texts, said } = await twinned(
      { 'package.json': PUBLIC, 'a.txt': 'ab\n', 'index.ts': INDEX, 'lib.ts': LIB, 'server.ts': SERVER },
      'server.ts',
    );
    assert.equal(
      texts['lib.ts'],
      `import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Loads a file.
 * @returns {string} its text
 */
export function load(file: string): string {
  return read(file).trim();
}

/**
 * Loads a file.
 * @returns {Promise<string>} its text
 */
export async function loadAsync(file: string): Promise<string> {
  return (await readAsync(file)).trim();
}

// Only for this module.
function read(file: string): string {
  return readFileSync(file, 'utf8');
}

async function readAsync(file: string): Promise<string> {
  return await readFile(file, 'utf8');
}

export const size = (file: string): number => load(file).length;
export const sizeAsync = async (file: string): Promise<number> => (await loadAsync(file)).length;
`,
    );
    assert.equal(
      texts['index.ts'],
      `export { load, loadAsync } from './lib.ts';
export { size as length, sizeAsync as lengthAsync } from './lib.ts';
`,
    );
    const server = texts['server.ts'] ?? '';
    assert.match(server, /^import \{ load, loadAsync, lengthAsync \} from/);
    assert.match(server, /import \{ load as text, loadAsync as textAsync \} from/);
    assert.match(
      server,
      /await loadAsync\('a.txt'\) \+ await lengthAsync\('a.txt'\) \+ \(await one\('a.txt'\)\)\.join/,
    );
    assert.match(
      server,
      /async function one\(file: string\): Promise<string\[\]> \{ return \(await textAsync\(file\)\)/,
    );
    assert.match(server, /\[load\('a.txt'\), text\('a.txt'\)\]/);
    assert.deepEqual(said, ['lib.ts:13 migrate twin void-callback']);
  });

  it('in every form of CommonJS', async () => {
    const { texts } = await twinned(
      {
        'package.json': '{ "name": "lib", "main": "./index.js" }',
        'a.txt': '{"a":1}',
        'index.js': `module.exports = { ...require('./lib'), Store: require('./store').Store, config: require('./config') };\n`,
        'lib.js': `const fs = require('fs');
function load(file) { return fs.readFileSync(file, 'utf8'); }
exports.list = (dir) => fs.readdirSync(dir).length;
exports.size = function size(file) { return load(file).length; };
exports.load = load;
module.exports.read = load;
`,
        'config.js': `'use strict';
module.exports = function readConfigSync(file) { return JSON.parse(require('fs').readFileSync(file, 'utf8')); };
`,
        'store.js': `const { readFileSync } = require('fs');
class Store {
  constructor(file) { this.file = file; this.load(); }
  load() {
    this.text = this.#read();
    return this;
  }
  #read() { return readFileSync(this.file, 'utf8'); }
}
module.exports = { Store, make() { return readFileSync('a.txt').length; } };
`,
        'server.js': `const { load, size } = require('./lib');
const lib = require('./lib');
const config = require('./config');
const list = require('./lib').list;
const { Store, make } = require('./store');
const store = new Store('a.txt');
${asking(
  `[config('a.txt'), load('a.txt'), size('a.txt'), lib.read('a.txt'), list('.') > 3, store.load().text, make()]`,
  `[config('a.txt'), lib.size('a.txt'), make(), new Store('a.txt').text]`,
).replace(/^import.*/, `const { createServer } = require('node:http');`)}`,
      },
      'server.js',
    );
    assert.match(
      texts['server.js'] ?? '',
      /\[await config\.readConfigAsync\('a.txt'\), await loadAsync\('a.txt'\), await sizeAsync\('a.txt'\), await lib\.readAsync\('a.txt'\), await listAsync\('\.'\) > 3, \(await store\.loadAsync\(\)\)\.text, await makeAsync\(\)\]/,
    );
    assert.match(texts['server.js'] ?? '', /^const \{ loadAsync, sizeAsync \} = require\('\.\/lib'\);/);
    assert.match(texts['lib.js'] ?? '', /exports\.load = load;\nexports\.loadAsync = loadAsync;\n/);
    assert.match(texts['store.js'] ?? '', /\n {2}async #readAsync\(\) \{ return await readFile/);
  });

  it('through interfaces, overloads and default exports, with types that hold', async () => {
    const files = {
      'package.json': PUBLIC,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'nodenext',
          allowImportingTsExtensions: true,
          noEmit: true,
          typeRoots: [join(MODULES, '@types')],
          types: ['node'],
        },
      }),
      'index.ts': `export { default as readConfig } from './config.ts';\nexport { driver } from './drivers.ts';\n`,
      'types.ts': `export interface Driver {
  /** Reads. */
  read(file: string): string;
  name: string;
}
`,
      'drivers.ts': `import { readFileSync } from 'node:fs';
import type { Driver } from './types.ts';
class Disk implements Driver {
  name = 'disk';
  constructor() { this.read('a.txt'); }
  read(file: string): string { return readFileSync(file, 'utf8'); }
}
class Memory implements Driver {
  name = 'memory';
  read(file: string): string { return file; }
}
export function driver(kind: 'disk'): Driver;
export function driver(kind: string): Driver | undefined;
export function driver(kind: string): Driver | undefined {
  if (readFileSync('a.txt', 'utf8') === kind) return undefined;
  return kind === 'disk' ? new Disk() : new Memory();
}
`,
      'config.ts': `import { readFileSync } from 'node:fs';
export default function readConfig(file = 'a.txt'): { a: number } {
  return JSON.parse(readFileSync(file, 'utf8')) as { a: number };
}
`,
      'server.ts': `import config from './config.ts';
import { driver } from './drivers.ts';
import type { Driver } from './types.ts';
const it: Driver = driver('disk');
${asking(`config().a + it.read('a.txt') + driver('disk').name`, `config('a.txt')`)}`
        .replace('server.address().port', '(server.address() as { port: number }).port')
        .replace('createServer((', 'createServer(async ('),
      'a.txt': '{"a":1}',
    };
    const { texts } = await twinned(files, 'server.ts');
    assert.equal(
      texts['types.ts'],
      `export interface Driver {
  /** Reads. */
  read(file: string): string;

  /** Reads. */
  readAsync(file: string): Promise<string>;
  name: string;
}
`,
    );
    assert.match(
      texts['drivers.ts'] ?? '',
      /async readAsync\(file: string\): Promise<string> \{ return file; \}/,
    );
    assert.match(
      texts['drivers.ts'] ?? '',
      /\nexport function driverAsync\(kind: 'disk'\): Promise<Driver>;\nexport function driverAsync\(kind: string\): Promise<Driver \| undefined>;\nexport async function driverAsync/,
    );
    assert.match(texts['config.ts'] ?? '', /\n\nexport async function readConfigAsync\(file = 'a\.txt'\)/);
    assert.match(texts['index.ts'] ?? '', /\{ default as readConfig, readConfigAsync \}/);
    assert.match(texts['server.ts'] ?? '', /^import config, \{ readConfigAsync as configAsync \} from/);

    using project = new Project(files);
    await project.commit();
    const written = await project.migrateThroughGates('--recipe', 'off-loop', '--twins', '--write');
    assert.equal(written.code, 0, written.stderr);
    for (const [name, text] of Object.entries(texts)) assert.equal(project.read(name), text);
  });

  it('where only some callers cannot wait, also in a private package', async () => {
    const { texts } = await twinned(
      {
        'package.json': PRIVATE,
        'a.txt': 'x',
        'lib.ts': `import { readFileSync } from 'node:fs';
export function even(n: number): string { return n === 0 ? readFileSync('a.txt', 'utf8') : odd(n - 1); }
export function odd(n: number): string { return n === 0 ? '' : even(n - 1); }
export class Page {
  title = even(2);
  get text(): string { return odd(1); }
}
`,
        'server.ts': `import { even, Page } from './lib.ts';\n${asking('even(4)', '[new Page().title, new Page().text]')}`,
      },
      'server.ts',
    );
    assert.match(
      texts['lib.ts'] ?? '',
      /async function evenAsync\(n: number\): Promise<string> \{ return n === 0 \? await readFile\('a.txt', 'utf8'\) : await oddAsync\(n - 1\); \}/,
    );
    assert.match(
      texts['lib.ts'] ?? '',
      /title = even\(2\);\n {2}get text\(\): string \{ return odd\(1\); \}/,
    );
    assert.match(texts['server.ts'] ?? '', /^import \{ evenAsync, Page \} from/);
  });

  it('with the functions inside of it, and beside a call that moves in its own place', async () => {
    const { texts } = await twinned(
      {
        'package.json': PUBLIC,
        'a.txt': 'x',
        'index.ts': `import { readFileSync } from 'node:fs';
export function all(files: string[]): string[] {
  const one = (file: string): string => readFileSync(file, 'utf8');
  setTimeout(async () => { readFileSync(files[0]); }, 1);
  return files.map((file) => one(file));
}
`,
        'server.ts': `import { all } from './index.ts';\n${asking(`all(['a.txt'])`, `all(['a.txt'])`)}`,
      },
      'server.ts',
    );
    assert.equal(
      texts['index.ts'],
      `import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export function all(files: string[]): string[] {
  const one = (file: string): string => readFileSync(file, 'utf8');
  setTimeout(async () => { await readFile(files[0]); }, 1);
  return files.map((file) => one(file));
}

export async function allAsync(files: string[]): Promise<string[]> {
  const one = async (file: string): Promise<string> => await readFile(file, 'utf8');
  setTimeout(async () => { await readFile(files[0]); }, 1);
  return await Promise.all(files.map(async (file) => await one(file)));
}
`,
    );
  });

  it('leaves what has no caller on the loop, and what has a name that is taken, with the reason', async () => {
    const index = `import { readFileSync } from 'node:fs';
export function load(file: string): string { return readFileSync(file, 'utf8'); }
export const loadAsync = 1;
export function idle(file: string): string { return readFileSync(file, 'utf8'); }
`;
    const { texts, said } = await moved(
      {
        'package.json': PUBLIC,
        'index.ts': index,
        'server.ts': `import { load } from './index.ts';\n${asking(`load('x')`, '1')}`,
      },
      { twins: true },
    );
    assert.equal(texts['index.ts'], index);
    assert.deepEqual(said, ['index.ts:2 left twin-name', 'index.ts:4 left public-api']);
  });

  it('is not there without the flag: what a package gives on by name, or holds in an object, is its own', async () => {
    const { said } = await moved({
      'package.json': PUBLIC,
      'index.ts': INDEX,
      'lib.ts': LIB,
      'server.ts': SERVER,
    });
    assert.deepEqual(said, ['lib.ts:13 left public-api']);
  });
});

it('private methods are on the way too', async () => {
  const { texts } = await moved({
    'package.json': PRIVATE,
    'store.ts': `import { readFileSync } from 'node:fs';
class Store {
  load(): string { return this.#read(); }
  #read(): string { return readFileSync('x', 'utf8'); }
}
const store = new Store();
setInterval(() => { store.load(); }, 1);
`,
  });
  assert.match(
    texts['store.ts'] ?? '',
    /async load\(\): Promise<string> \{ return await this\.#read\(\); \}\n {2}async #read\(\)/,
  );
});
