import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

const app = (files: Record<string, string>): Record<string, string> => ({
  'package.json': PACKAGE,
  ...files,
});

/** Only the lines that differ. */
const changed = (before: string, after = ''): string[] => {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
};

describe('functions on the way become async', () => {
  it('up to the handlers, through files, with types, overloads, interfaces and tests', async () => {
    const files = app({
      'handlers.ts': `import express from 'express';
import { load, each as visit, type Store, FileStore } from './lib.ts';
import * as lib from './lib.ts';
const app = express();
app.get('/', (req, res) => { res.send(load('x').trim()); });
app.get('/y', async (req, res) => {
  const store: Store = new FileStore();
  res.send(store.read('x') + lib.load('y')!.length);
  visit(['a'], (file) => load(file));
});
`,
      'lib.ts': `import fs from 'node:fs'
export function load(file: string): string
export function load(file: string, more?: number): string {
  return fs.readFileSync(file, 'utf8')
}
export type Loaded = ReturnType<typeof load>
export interface Store { read(key: string): string }
export class FileStore implements Store { public read(key: string): string { return load(key) } }
export class MemoryStore implements Store { read(key: string) { return key } }
export function each(list: string[], fn: (file: string) => string) { for (const file of list) fn(file) }
`,
      'lib.test.ts': `import { test, expect } from 'vitest';
import { load } from './lib.ts';
test('loads', () => {
  expect(load('a')).toBe('b');
  expect(() => load('c')).toThrow('no');
});
`,
    });
    const { texts, sites } = await moved(files);
    assert.deepEqual(changed(files['handlers.ts'] ?? '', texts['handlers.ts']), [
      "app.get('/', (req, res, next) => { (async () => { res.send((await load('x')).trim()); })().catch(next); });",
      "  res.send(await store.read('x') + (await lib.load('y'))!.length);",
      "  await visit(['a'], async (file) => await load(file));",
    ]);
    assert.equal(
      texts['lib.ts'],
      `import fs from 'node:fs'
export function load(file: string): Promise<string>
export async function load(file: string, more?: number): Promise<string> {
  return await fs.promises.readFile(file, 'utf8')
}
export type Loaded = Awaited<ReturnType<typeof load>>
export interface Store { read(key: string): Promise<string> }
export class FileStore implements Store { public async read(key: string): Promise<string> { return await load(key) } }
export class MemoryStore implements Store { async read(key: string) { return key } }
export async function each(list: string[], fn: (file: string) => string | Promise<string>) { for (const file of list) await fn(file) }
`,
    );
    assert.deepEqual(changed(files['lib.test.ts'] ?? '', texts['lib.test.ts']), [
      "test('loads', async () => {",
      "  expect(await load('a')).toBe('b');",
      "  await expect(async () => await load('c')).rejects.toThrow('no');",
    ]);
    const [site] = sites;
    assert.equal(site?.set, 'lib.ts#load fs.readFileSync');
    assert.equal(site.notes, undefined);
  });

  it('in CommonJS, by every way that a function is exported', async () => {
    const files = {
      'package.json': JSON.stringify({ name: 'app', private: true }),
      'one.js': `const fs = require('fs');
module.exports = function one(file) { return fs.readFileSync(file, 'utf8'); };
`,
      'two.js': `const fs = require('fs');
const two = (file) => fs.readFileSync(file);
module.exports = { two, other: two };
`,
      'three.js': `const fs = require('fs');
exports.three = function (file) { return fs.readFileSync(file); };
function Store() {}
Store.prototype.get = function (file) { return exports.three(file); };
exports.Store = Store;
`,
      'server.js': `const http = require('http');
const load = require('./one');
const lib = require('./two');
const { three: read, Store } = require('./three');
http.createServer((req, res) => {
  res.write(load('x').trim());
  res.write(lib.two('x'));
  res.write(lib.other('x'));
  res.end(read.call(null, 'x') + new Store().get('y'));
}).listen(1);
`,
    };
    const { texts } = await moved(files);
    assert.deepEqual(changed(files['server.js'], texts['server.js']), [
      'http.createServer(async (req, res) => {',
      "  res.write((await load('x')).trim());",
      "  res.write(await lib.two('x'));",
      "  res.write(await lib.other('x'));",
      "  res.end(await read.call(null, 'x') + await new Store().get('y'));",
    ]);
    assert.match(texts['one.js'] ?? '', /module\.exports = async function one/);
    assert.match(texts['two.js'] ?? '', /const two = async \(file\) => await fs\.promises\.readFile\(file\)/);
    assert.match(
      texts['three.js'] ?? '',
      /get = async function \(file\) \{ return await exports\.three\(file\)/,
    );
  });

  it('with what the comment above says that they give, and one import for modules that calls bring along', async () => {
    const files = {
      'package.json': JSON.stringify({ name: 'app', private: true }),
      'server.js': `const http = require("http");
/**
 * @param {{ name: string }} options
 * @returns {{ ok: boolean, file?: { name: string } }} what was found
 */
function version(options) {
  return { ok: require("child_process").execSync("git rev-parse HEAD").toString() !== "", file: options };
}
http.createServer((req, res) => res.end(String(version({ name: req.url }).ok))).listen(1);
`,
    };
    const { texts } = await moved(files);
    assert.deepEqual(changed(files['server.js'], texts['server.js']), [
      'const { promisify } = require("util");',
      ' * @returns {Promise<{ ok: boolean, file?: { name: string } }>} what was found',
      'async function version(options) {',
      '  return { ok: (await promisify(require("child_process").exec)("git rev-parse HEAD")).stdout.toString() !== "", file: options };',
      'http.createServer(async (req, res) => res.end(String((await version({ name: req.url })).ok))).listen(1);',
    ]);
  });

  it('where loops, lists and types need more than a word', async () => {
    const files = app({
      'a.ts': `import { readFileSync, writeFileSync } from 'node:fs';
export async function all(files: string[], map: Map<string, string>, names: readonly string[]) {
  files.forEach((file: string) => writeFileSync(file, 'x'));
  files.forEach((file) => {
    if (!file) return;
    file = file.trim();
    writeFileSync(file, 'y');
  });
  const texts = names.map((name) => readFileSync(name, 'utf8')).filter(Boolean);
  return texts;
}
export async function kept(files: string[], map: Map<string, string>, self: { n: number }) {
  files.forEach((file, n) => writeFileSync(file, String(n)));
  files.forEach(function (file) { writeFileSync(file, String(this)); });
  files.forEach((file) => { for (const x of 'ab') if (x) return; writeFileSync(file, 'z'); });
  const done = files.forEach((file) => writeFileSync(file, 'w'));
  map.forEach((value) => writeFileSync(value, 'v'));
  files.map((file) => writeFileSync(file, 'u'));
  files.map((file) => { self.n += 1; return readFileSync(file); });
  files.filter((file) => readFileSync(file).length > 1);
  return done;
}
const parse: (file: string) => number = (file) => readFileSync(file).length;
export async function parsed() { return parse('x') + 1; }
`,
    });
    const { texts, said } = await moved(files);
    const text = texts['a.ts'] ?? '';
    assert.deepEqual(changed(files['a.ts'] ?? '', text), [
      "import { readFile, writeFile } from 'node:fs/promises';",
      "  for (const file of files) await writeFile(file, 'x');",
      '  for (let file of files) {',
      '    if (!file) continue;',
      "    await writeFile(file, 'y');",
      '  }',
      "  const texts = (await Promise.all(names.map(async (name) => await readFile(name, 'utf8')))).filter(Boolean);",
      'const parse: (file: string) => Promise<number> = async (file) => (await readFile(file)).length;',
      "export async function parsed() { return await parse('x') + 1; }",
    ]);
    assert.equal(said.filter((line) => line.endsWith('left array-callback')).length, 8);
  });

  it('in untyped code: by what a variable is given, a callback that is looked at, a var in a loop', async () => {
    const files = {
      'package.json': JSON.stringify({ name: 'app', private: true }),
      'app.js': `const fs = require('fs');
const other = require('other');
class App {
  load(file) { return fs.readFileSync(file); }
  all(files, done) {
    files.forEach(function (file) {
      var text = fs.readFileSync(file);
      try { var size = text.length; console.log(size); } catch {}
    }, this);
    files.forEach(function (file) { if (file) var kept = fs.readFileSync(file); console.log(kept); });
    if (done) done(1);
  }
}
module.exports = App;
other.on('x', (thing) => { thing.load('y'); new App().all([], () => { new App().load('z'); }); });
`,
      'app.test.js': `const App = require('./app');
let app;
beforeEach(() => { app = new App(); });
it('loads', () => { app.load('x'); });
`,
    };
    const { texts, said } = await moved(files);
    assert.deepEqual(changed(files['app.js'], texts['app.js']), [
      '  async load(file) { return await fs.promises.readFile(file); }',
      '  async all(files, done) {',
      '    for (const file of files) {',
      '      var text = await fs.promises.readFile(file);',
      '    }',
      '    if (done) await done(1);',
      "other.on('x', async (thing) => { thing.load('y'); await new App().all([], async () => { await new App().load('z'); }); });",
    ]);
    assert.match(texts['app.test.js'] ?? '', /it\('loads', async \(\) => \{ await app\.load\('x'\); \}\);/);
    assert.ok(said.some((line) => line === 'app.js:10 left array-callback'));
  });
});

it('puts a new import in front of a function that becomes async, where the two meet', async () => {
  const files = app({
    'a.js': `import { readFileSync, existsSync } from 'node:fs';
function load(file) { return existsSync(file) ? readFileSync(file, 'utf8') : ''; }
import { writeFileSync } from 'node:fs';
save('y');
export async function save(file) { writeFileSync(file, load('x')); }
`,
  });
  const { texts } = await moved(files);
  assert.match(texts['a.js'] ?? '', /^import \{ existsSync \} from 'node:fs';\nimport \{ readFile/);
  assert.match(texts['a.js'] ?? '', /^async function load\(file\)/m);
});

it('moves what a function does besides, where another call makes it async', async () => {
  const { said } = await moved(
    app({
      'a.ts': `import { readFileSync, writeFileSync } from 'node:fs';
function folder() { return readFileSync('folder', 'utf8'); }
export async function on() { return folder(); }
function note() { writeFileSync('note', 'x'); }
export class Store {
  save(data: string) { writeFileSync(folder() + '/x', data); note(); }
}
`,
    }),
    { allowApiChange: true },
  );
  assert.deepEqual(
    said.map((line) => line.split(' ')[1]),
    ['migrate', 'migrate', 'migrate'],
  );
});

it('leaves one Promise.all one, and says of tests whose doubles nothing calls any more', async () => {
  const { texts, said } = await moved({
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
    'app.js': `import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
export const read = (file) => readFileSync(file, 'utf8');
const all = (files) => Promise.all(files.map((file) => read(file)));
createServer((request, response) => { void all(['a']).then((texts) => response.end(texts[0])); }).listen(1);
`,
    'reader.js': `export { read } from './app.js';
`,
    'app.test.js': `import fs from 'node:fs';
import { expect, it, vi } from 'vitest';
import { read } from './reader.js';
it('reads', () => {
  vi.spyOn(fs, 'readFileSync').mockReturnValue('x');
  expect(read('a')).toBe('x');
});
`,
  });
  assert.match(
    texts['app.js'] ?? '',
    /^const all = \(files\) => Promise\.all\(files\.map\(async \(file\) => await read\(file\)\)\);$/m,
  );
  assert.deepEqual(said, ['app.js:3 migrate concurrent eager-throw test-double']);
});

it('moves what the start only led to, once its caller is async and on the loop for it', async () => {
  const { said } = await moved(
    {
      'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
      'setup.ts': `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
export class Setup {
  async setupObjects(done: () => void) {
    certificate('cert.pem');
    done();
  }
  configure(done: () => void) {
    writeFileSync('conf.json', '{}');
    this.setupObjects(done).catch((error) => console.error(error));
  }
}
function certificate(path: string) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
`,
      'main.ts': `import { Setup } from './setup.ts';
setInterval(() => new Setup().configure(() => undefined), 1000);
`,
    },
    { allowApiChange: true },
  );
  assert.deepEqual(said, [
    'setup.ts:8 migrate interleaving void-callback',
    'setup.ts:13 migrate interleaving',
  ]);
});

it('waits where a function is called by a key, whether it is known or not', async () => {
  const { texts, said } = await moved({
    'package.json': PACKAGE,
    'commands.js': `import { readFileSync } from 'node:fs';
const read = (file) => readFileSync(file, 'utf8');
export const commands = { load(file) { return read(file); }, name: (file) => file, 'to-size': (file) => read(file).length };
export class Box {
  kinds = { one: (file) => read(file) };
  get(kind, file) { return this.kinds[kind](file).trim(); }
  one(file) { return read(file); }
  any(name, file) { return this[name](file).length; }
}
`,
    'app.js': `import { createServer } from 'node:http';
import { Box, commands } from './commands.js';
const run = (name) => (commands[name] && typeof commands[name] === 'function' ? commands[name]('a').length : 0);
createServer((req, res) => {
  res.end(commands['load']('a').trim() + commands['to-size']('a').toFixed() + run(req.url) + new Box().get('one', 'a') + new Box().any('one', 'a'));
});
`,
  });
  assert.deepEqual(said, ['commands.js:2 migrate void-callback']);
  for (const part of [
    "'to-size': async (file) => (await read(file)).length",
    'async get(kind, file) { return (await this.kinds[kind](file)).trim(); }',
    'async any(name, file) { return (await this[name](file)).length; }',
  ])
    assert.ok(texts['commands.js']?.includes(part), texts['commands.js']);
  for (const part of [
    "(await commands[name]('a')).length",
    "(await commands['load']('a')).trim() + (await commands['to-size']('a')).toFixed() + await run(req.url)",
  ])
    assert.ok(texts['app.js']?.includes(part), texts['app.js']);
});
