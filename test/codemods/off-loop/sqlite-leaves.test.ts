import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

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
    'is exported by another name': ['sqlite-exported', using('export { db as store };')],
    'is the default export': ['sqlite-exported', using('export default db;')],
    'is returned by a method': ['sqlite-escapes', using('export class Store { get() { return db; } }')],
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
