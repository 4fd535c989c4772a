import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

const SERVER = `import express from 'express';
import { list } from './users.ts';

const app = express();
app.get('/', async (req, res) => { res.json(list(req.query.name)); });
app.listen(80);
`;

describe('a database that is opened, used and kept in one file', () => {
  it('moves to the facade, with its statements, loops and transactions', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'server.ts': SERVER,
      'users.ts': `import Database from 'better-sqlite3';

const db = new Database('users.db', { readonly: false });
db.pragma('journal_mode = WAL');
db.exec('create table if not exists users (name text, seen int)');
const find = db.prepare<[string], { name: string }>('select * from users where name like ?');
const statements = { insert: db.prepare('insert into users values (?, ?)'), names: db.prepare('select name from users').pluck() };
const add = db.transaction((names: string[]) => {
  for (const name of names) statements.insert.run(name, Date.now());
});

export function list(name: string): { name: string }[] {
  return find.all(name);
}
export async function addAll(names: string[]): Promise<number> {
  add(names);
  add.exclusive(names);
  return names.length;
}
export async function dump(): Promise<string> {
  let text = '';
  for (const name of statements.names.iterate()) text += name;
  return text + (db.prepare('select count(*) n from users').get() as { n: number }).n;
}
export function stop(): void {
  db.close();
}
setTimeout(() => { stop(); }, 1000);
`,
    });
    assert.deepEqual(
      said.filter((line) => !line.includes('migrate')),
      [],
    );
    assert.equal(
      texts['users.ts'],
      `import { openDatabase } from 'owned-spawn/sqlite';

const db = openDatabase('users.db', { driver: 'better-sqlite3', readonly: false });
await db.pragma('journal_mode = WAL');
await db.exec('create table if not exists users (name text, seen int)');
const find = db.prepare<{ name: string }>('select * from users where name like ?');
const statements = { insert: db.prepare('insert into users values (?, ?)'), names: db.prepare('select name from users').pluck() };
const add = db.transaction(async (names: string[]) => {
  for (const name of names) await statements.insert.run(name, Date.now());
});

export async function list(name: string): Promise<{ name: string }[]> {
  return await find.all(name);
}
export async function addAll(names: string[]): Promise<number> {
  await add(names);
  await add.exclusive(names);
  return names.length;
}
export async function dump(): Promise<string> {
  let text = '';
  for await (const name of statements.names.iterate()) text += name;
  return text + (await db.prepare('select count(*) n from users').get() as { n: number }).n;
}
export async function stop(): Promise<void> {
  await db.close();
}
setTimeout(async () => { await stop(); }, 1000);
`,
    );
    assert.match(texts['server.ts'] ?? '', /res\.json\(await list\(req\.query\.name\)\)/);
    assert.match(texts['package.json'] ?? '', /"owned-spawn":/);
  });

  it('with what sets it up where nothing can wait: a constructor, the top level of a CommonJS file', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'store.ts': `import Database from 'better-sqlite3';

export class Store {
  #db: Database.Database;
  constructor(path: string, private readonly isShared = false) {
    this.#db = new Database(path);
    this.#db.pragma('journal_mode = WAL');
    if (this.isShared) this.#db.pragma('busy_timeout = 1000')
    this.#db.exec('create table if not exists t (x)');
    this.#db.prepare('insert into t values (?)').run(1);
    this.#db.transaction(() => {
      this.#db.exec('delete from t');
    })();
  }
  rows() {
    return this.#db.prepare('select * from t').all();
  }
}
const store = new Store('x.db');
setInterval(() => { store.rows(); }, 1000);
`,
      'db.cjs': `const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync('y.db');
db.exec('pragma journal_mode = WAL');
setInterval(() => { db.exec('delete from t'); }, 1000);
`,
    });
    assert.match(
      texts['store.ts'] ?? '',
      /void this\.#db\.pragma\('journal_mode = WAL'\);\n {4}if \(this\.isShared\) void this\.#db\.pragma\('busy_timeout = 1000'\)\n {4}void this\.#db\.exec\('create table if not exists t \(x\)'\);\n {4}void this\.#db\.prepare\('insert into t values \(\?\)'\)\.run\(1\);\n {4}void this\.#db\.transaction\(async \(\) => \{\n {6}await this\.#db\.exec\('delete from t'\);\n {4}\}\)\(\);/,
    );
    assert.match(texts['db.cjs'] ?? '', /^void db\.exec\('pragma journal_mode = WAL'\);$/m);
    assert.deepEqual(
      said.filter((line) => !/migrate .*\bunawaited\b/.test(line)),
      [],
    );
  });

  it('in fields of a class, with the types that are written on them', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'store.ts': `import BetterSqlite3, { SqliteError } from "better-sqlite3";
import type { Statement } from "better-sqlite3";

class Store {
  private readonly db: BetterSqlite3.Database;
  #all: Statement<[string], { id: number }>;
  constructor(path: string) {
    this.db = new BetterSqlite3(path);
    this.#all = this.db.prepare("select id from t where x > ?");
  }
  rows(x: string) {
    try {
      return this.#all.all(x);
    } catch (error) {
      if (error instanceof SqliteError) return [];
      throw error;
    }
  }
  wipe() {
    this.db.prepare("delete from t").run();
  }
}
const store = new Store("x.db");
setInterval(() => { store.rows("a"); }, 1000);
setInterval(() => { store.wipe(); store.wipe(); }, 1000);
`,
    });
    assert.equal(
      texts['store.ts'],
      `import { SqliteError } from "better-sqlite3";
import { openDatabase, type Database, type Statement } from "owned-spawn/sqlite";

class Store {
  private readonly db: Database;
  #all: Statement<{ id: number }>;
  constructor(path: string) {
    this.db = openDatabase(path, { driver: "better-sqlite3" });
    this.#all = this.db.prepare("select id from t where x > ?");
  }
  async rows(x: string) {
    try {
      return await this.#all.all(x);
    } catch (error) {
      if (error instanceof SqliteError) return [];
      throw error;
    }
  }
  async wipe() {
    await this.db.prepare("delete from t").run();
  }
}
const store = new Store("x.db");
setInterval(async () => { await store.rows("a"); }, 1000);
setInterval(async () => { await store.wipe(); await store.wipe(); }, 1000);
`,
      said.join('\n'),
    );
  });

  it('in CommonJS, and of node:sqlite', async () => {
    const { texts, said } = await moved({
      'package.json': JSON.stringify({ name: 'app', private: true }),
      'a.js': `const Database = require('better-sqlite3');
const db = new Database('a.db');
const all = db.prepare('select * from t order by x');
require('http').createServer((req, res) => { res.end(JSON.stringify(all.all())); }).listen(1);
`,
      'b.mjs': `import { DatabaseSync } from 'node:sqlite';
const db = new DatabaseSync('b.db', { readOnly: true });
setInterval(() => { console.log(db.prepare('select * from t order by x').all()); }, 1000);
`,
    });
    assert.equal(
      texts['a.js'],
      `const { openDatabase } = require('owned-spawn/sqlite');
const db = openDatabase('a.db', { driver: 'better-sqlite3' });
const all = db.prepare('select * from t order by x');
require('http').createServer(async (req, res) => { res.end(JSON.stringify(await all.all())); }).listen(1);
`,
      said.join('\n'),
    );
    assert.equal(
      texts['b.mjs'],
      `import { openDatabase } from 'owned-spawn/sqlite';
const db = openDatabase('b.db', { driver: 'node:sqlite', readonly: true });
setInterval(async () => { console.log(await db.prepare('select * from t order by x').all()); }, 1000);
`,
    );
  });
});

it('two changes in one step are noted, and a database that stays stays beside one that moves', async () => {
  const { texts, said } = await moved({
    'package.json': PACKAGE,
    'a.ts': `import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
const a = new Database('a.db');
const b = new Database('b.db', { verbose: console.log });
const put = a.transaction((file: string) => { a.prepare('insert into t values (?)').run(readFileSync(file)); });
setInterval(() => { put('x'); put('y'); b.exec('vacuum'); }, 1);
`,
  });
  assert.equal(
    texts['a.ts'],
    `import Database from 'better-sqlite3';
import { openDatabase } from 'owned-spawn/sqlite';
import { readFile } from 'node:fs/promises';
const a = openDatabase('a.db', { driver: 'better-sqlite3' });
const b = new Database('b.db', { verbose: console.log });
const put = a.transaction(async (file: string) => { await a.prepare('insert into t values (?)').run(await readFile(file)); });
setInterval(async () => { await put('x'); await put('y'); b.exec('vacuum'); }, 1);
`,
  );
  assert.ok(said.includes('a.ts:6 migrate begin-immediate interleaving void-callback'), said.join('\n'));
  assert.ok(said.includes('a.ts:4 left sqlite-options'));
});

it('what reads and writes in one transaction moves', async () => {
  const { texts } = await moved({
    'package.json': PACKAGE,
    'a.js': `import Database from 'better-sqlite3';
const db = new Database('x.db');
const add = db.transaction(() => {
  const { n } = db.prepare('select n from c').get();
  db.prepare('update c set n = ?').run(n + 1);
});
setInterval(() => { add.immediate(); }, 1);
`,
  });
  assert.equal(
    texts['a.js'],
    `import { openDatabase } from 'owned-spawn/sqlite';
const db = openDatabase('x.db', { driver: 'better-sqlite3' });
const add = db.transaction(async () => {
  const { n } = await db.prepare('select n from c').get();
  await db.prepare('update c set n = ?').run(n + 1);
});
setInterval(async () => { await add.immediate(); }, 1);
`,
  );
});

describe('a class that has methods by the names of its database', () => {
  const uses = `  get(k) { return this.find.get(k) ?? this.db.prepare('select v from t where k = ?').get(k); }
  close() { this.db.close(); }
}
const store = new Store('x.db');
createServer((req, res) => { res.end(String(store.get('a').v)); });
export const stop = () => { store.close(); };
setTimeout(stop, 9);
`;
  const forms: Readonly<Record<string, string>> = {
    'a.mjs': `import Database from 'better-sqlite3';
import { createServer } from 'node:http';
class Store {
  constructor(path) {
    this.db = new Database(path);
    this.find = this.db.prepare('select v from u where k = ?');
  }
${uses}`,
    'a.cjs': `const Database = require('better-sqlite3');
const { createServer } = require('node:http');
class Store {
  db = null;
  find;
  constructor(path) {
    this.db = new Database(path);
    this.find = this.db.prepare('select v from u where k = ?');
  }
${uses.replace('export const', 'const')}`,
    'a.ts': `import Database from 'better-sqlite3';
import { createServer } from 'node:http';
class Store {
  private readonly db: Database.Database;
  private find;
  constructor(path: string) {
    this.db = new Database(path);
    this.find = this.db.prepare('select v from u where k = ?');
  }
${uses}`,
  };
  for (const [name, text] of Object.entries(forms))
    it(`moves: ${name}`, async () => {
      const { said, texts } = await moved({ 'package.json': PACKAGE, [name]: text });
      assert.deepEqual([...new Set(said.map((line) => line.split(' ')[1]))], ['migrate']);
      assert.match(texts[name] ?? '', /async close\(\) \{ await this\.db\.close\(\); \}/);
      assert.match(texts[name] ?? '', /String\(\(await store\.get\('a'\)\)\.v\)/);
    });
});
