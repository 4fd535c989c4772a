import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved } from './plan.ts';

const PACKAGE = JSON.stringify({ name: 'app', private: true, type: 'module' });

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

describe('a database that is left', () => {
  /** A handler that asks a database for rows, and what else is done with it. */
  const using = (
    more: string,
    open = `new Database('x.db')`,
  ): string => `import Database, { SqliteError } from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
const db = ${open};
${more}
setInterval(() => { console.log(db.prepare('select * from t order by x').all()); }, 1000);
`;
  const cases: Record<string, [reason: string, text: string]> = {
    'is given to a library': ['sqlite-escapes', using('export const orm = drizzle(db);')],
    'is given to a function': ['sqlite-escapes', using('function setup(it) { it.exec("x"); }\nsetup(db);')],
    'is exported': ['sqlite-exported', using('export { db };')],
    'is returned': ['sqlite-escapes', using('export const get = () => db;')],
    'has a function of its own': ['sqlite-feature', using(`db.function('f', (x) => x);`)],
    'has extensions': ['sqlite-feature', using(`db.loadExtension('x');`)],
    'has a verbose option': ['sqlite-options', using('', `new Database('x.db', { verbose: console.log })`)],
    'has options that are not seen': [
      'sqlite-options',
      using('', `new Database('x.db', globalThis.options)`),
    ],
    'is asked whether a statement reads': ['sqlite-feature', using(`console.log(db.prepare('x').reader);`)],
    'is iterated by hand': ['sqlite-feature', using(`console.log([...db.prepare('x').iterate()]);`)],
    'has its transactions by hand': ['sqlite-feature', using(`db.exec('BEGIN');`)],
    'is opened in a try': [
      'sqlite-late-error',
      using('', `(() => { try { return new Database('x.db'); } catch { return undefined; } })()`),
    ],
    'has a statement prepared in a try': [
      'sqlite-late-error',
      using(`let st; try { st = db.prepare('x'); } catch (e) { console.log(e); }`),
    ],
    'is used in a constructor': [
      'constructor',
      using(`export class A { constructor() { db.exec('create table t (x)'); } }\nnew A();`),
    ],
    'is read and then written, with what only happens in between': [
      'read-modify-write',
      using(`setInterval(() => {
  let seen = db.prepare('select n from c').get().n;
  db.prepare('update c set n = ?').run(seen + 1);
  seen++;
  console.log(seen);
}, 1);`),
    ],
    'is read and then written by a loop that is left in between': [
      'read-modify-write',
      using(`setInterval(() => {
  outer: for (;;) {
    for (const id of [1, 2]) {
      const { n } = db.prepare('select n from c where id = ?').get(id);
      if (n > 5) break outer;
      db.prepare('update c set n = ? where id = ?').run(n + 1, id);
    }
    return;
  }
  console.log('done');
}, 1);`),
    ],
  };
  for (const [what, [reason, text]] of Object.entries(cases)) {
    it(`since it ${what}`, async () => {
      const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
      assert.equal(texts['a.js'], text);
      assert.ok(said.length > 0);
      assert.deepEqual(
        said.filter((line) => !line.includes(`left ${reason}`) && !line.endsWith(':4 left sqlite')),
        [],
      );
    });
  }

  it('at the top level of what is no ES module', async () => {
    const text = using(`console.log(db.pragma('journal_mode = WAL'));`);
    const { texts, said } = await moved({ 'package.json': '{ "private": true }', 'a.js': text });
    assert.equal(texts['a.js'], text);
    assert.ok(
      said.every((line) => line.includes('left top-level')),
      said.join('\n'),
    );
  });

  it('where an error of its setup is caught, by the class or by who makes it', async () => {
    const store = (name: string, setup: string): string => `import Database from 'better-sqlite3';
export class ${name} {
  constructor(path) { this.db = new Database(path); ${setup} }
  wipe() { this.db.exec('delete from t'); }
}
`;
    const { said } = await moved({
      'package.json': PACKAGE,
      'a.js': store('A', `try { this.db.pragma('journal_mode = WAL'); } catch {}`),
      'b.js': store('B', `this.db.pragma('journal_mode = WAL');`),
      'main.js': `import { A } from './a.js';
import { B } from './b.js';
const a = new A('a.db');
function open() {
  try { return new B('b.db'); } catch { return undefined; }
}
const b = open();
setInterval(() => { a.wipe(); b?.wipe(); }, 1000);
`,
    });
    assert.deepEqual(
      said.filter((line) => !line.includes(' left sqlite-late-error')),
      [],
    );
    assert.ok(said.some((line) => line.startsWith('b.js')));
  });

  it('with one call that is said to block', async () => {
    const text = using(`setInterval(() => {
  // eslint-disable-next-line owned-spawn/no-blocking-sqlite -- two rows
  console.log(db.prepare('select * from two order by x').all());
}, 1);`);
    const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.equal(texts['a.js'], text);
    assert.deepEqual(said, ['a.js:3 left sqlite', 'a.js:6 suppressed eslint-disabled', 'a.js:8 left sqlite']);
  });

  it('with a file call in its transaction, which would give a promise', async () => {
    const text = using(`import { readFileSync } from 'node:fs';
db.function('f', (x) => x);
const add = db.transaction(() => { db.prepare('insert into t values (?)').run(readFileSync('x')); });
setInterval(() => { add(); }, 1);`);
    const { texts } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.equal(texts['a.js'], text);
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

describe('what reads and writes in one step', () => {
  const open = `import Database from 'better-sqlite3';
const db = new Database('x.db');
const get = db.prepare('select n from c where id = ?');
const set = db.prepare('update c set n = ? where id = ?');
`;
  const opened = `import { openDatabase } from 'owned-spawn/sqlite';
const db = openDatabase('x.db', { driver: 'better-sqlite3' });
const get = db.prepare('select n from c where id = ?');
const set = db.prepare('update c set n = ? where id = ?');
`;
  const cases: Record<string, [before: string, after: string]> = {
    'to the end of a function that returns out of it': [
      `export async function bump(id) {
  console.log(id);
  const row = get.get(id);
  if (!row) return undefined;
  set.run(row.n + 1, id);
  return row.n + 1;
}
`,
      `export async function bump(id) {
  console.log(id);
  return await db.transaction(async () => {
  const row = await get.get(id);
  if (!row) return undefined;
  await set.run(row.n + 1, id);
  return row.n + 1;
  })();
}
`,
    ],
    'with what is used behind it': [
      `export async function bump(id, res) {
  const { n } = get.get(id);
  const next = n + 1;
  set.run(next, id);
  res.json(next);
}
`,
      `export async function bump(id, res) {
  const { next } = await db.transaction(async () => {
  const { n } = await get.get(id);
  const next = n + 1;
  await set.run(next, id);
  return { next };
  })();
  res.json(next);
}
`,
    ],
    'in a loop that goes on within it, and in an expression': [
      `export async function bumpAll(ids) {
  for (const id of ids) {
    const { n } = get.get(id);
    if (n > 10) continue;
    set.run(n + 1, id);
  }
}
export const bump = async (id) => set.run(get.get(id).n + 1, id);
`,
      `export async function bumpAll(ids) {
  await db.transaction(async () => {
  for (const id of ids) {
    const { n } = await get.get(id);
    if (n > 10) continue;
    await set.run(n + 1, id);
  }
  })();
}
export const bump = async (id) => await db.transaction(async () => await set.run((await get.get(id)).n + 1, id))();
`,
    ],
    'by functions, once where those are called': [
      `const read = (id) => get.get(id).n;
const write = (id, n) => { set.run(n, id); };
export async function bump(id) { const n = read(id); if (n < 9) { write(id, n + 1); } }
`,
      `const read = async (id) => (await get.get(id)).n;
const write = async (id, n) => { await set.run(n, id); };
export async function bump(id) { await db.transaction(async () => {
const n = await read(id); if (n < 9) { await write(id, n + 1); }
})(); }
`,
    ],
  };
  for (const [what, [before, after]] of Object.entries(cases)) {
    it(`becomes a transaction, ${what}`, async () => {
      const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': open + before });
      assert.equal(texts['a.js'], opened + after);
      assert.ok(said.some((line) => line.includes('wrapped')));
    });
  }

  it('of a field of the class, without semicolons', async () => {
    const { texts } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import Database from 'better-sqlite3'
export class Store {
  #db
  constructor(path: string) { this.#db = new Database(path) }
  async bump(id: number) {
    const { n } = this.#db.prepare('select n from c where id = ?').get(id)
    this.#db.prepare('update c set n = ? where id = ?').run(n + 1, id)
  }
}
`,
    });
    assert.match(
      texts['a.ts'] ?? '',
      /await this\.#db\.transaction\(async \(\) => \{\n {4}const \{ n \} = await .*\n.*\n {4}\}\)\(\)\n {2}\}/,
    );
  });
});

it('a transaction that says no mode begins IMMEDIATE from now on, and that is noted; one that says its mode keeps it', async () => {
  const { texts, said } = await moved({
    'package.json': PACKAGE,
    'a.js': `import Database from 'better-sqlite3';
const db = new Database('x.db');
const add = db.transaction(() => { db.prepare('insert into c values (1)').run(); });
setTimeout(() => { add(); }, 1);
setTimeout(() => { add.deferred(); }, 1);
setTimeout(() => { add.exclusive(); }, 1);
`,
  });
  assert.match(
    texts['a.js'] ?? '',
    /await add\(\);.*\n.*await add\.deferred\(\);.*\n.*await add\.exclusive\(\);/,
  );
  assert.deepEqual(
    said.filter((line) => line.includes('begin-immediate')),
    ['a.js:4 migrate begin-immediate void-callback'],
  );
});
