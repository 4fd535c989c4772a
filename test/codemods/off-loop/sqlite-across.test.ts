import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

const DB = `import Database from 'better-sqlite3';
export const db = new Database('x.db');
export const byId = db.prepare('select * from t where id = ?');
`;
const SERVER = `import { createServer } from 'node:http';
import { list } from './rows.js';
createServer((request, response) => { response.end(JSON.stringify(list())); }).listen(1);
`;
const ROWS = `import { byId, db } from './db.js';
export const list = () => [...db.prepare('select * from t order by id').all(), byId.get(1)];
export function bump() {
  const row = byId.get(1);
  db.prepare('update t set n = ? where id = 1').run(row.n + 1);
}
setInterval(() => { bump(); }, 1000);
`;

describe('a database that other modules import', () => {
  it('moves with all that they do with it, and what was one step there stays one', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'db.js': DB,
      'rows.js': ROWS,
      'server.js': SERVER,
    });
    assert.equal(said.filter((line) => line.includes('left')).length, 0, said.join('\n'));
    assert.match(
      texts['db.js'] ?? '',
      /export const db = openDatabase\('x\.db', \{ driver: 'better-sqlite3' \}\);/,
    );
    assert.match(
      texts['rows.js'] ?? '',
      /list = async \(\) => \[\.\.\.await db\.prepare\(.*\)\.all\(\), await byId\.get\(1\)\]/,
    );
    assert.match(texts['rows.js'] ?? '', /await db\.transaction\(async \(\) => \{\s+const row = await byId/);
    assert.match(texts['rows.js'] ?? '', /setInterval\(async \(\) => \{ await bump\(\); \}/);
    assert.match(texts['server.js'] ?? '', /JSON\.stringify\(await list\(\)\)/);
  });

  it('moves through barrels, other names of the package and CommonJS', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE.replace('"type":"module"', '"type":"commonjs"'),
      'db.js': `const Database = require('better-sqlite3');
const db = new Database('x.db');
module.exports = { db };
`,
      'all.ts': "export { db } from './db.js';\n",
      'rows.js': `const { db } = require('./db');
setInterval(() => { console.log(db.prepare('select * from t order by id').all()); }, 1000);
`,
      'more.js': `const store = require('./db');
setInterval(() => { console.log(store.db.prepare('select * from u order by id').all()); }, 1000);
`,
      'last.ts': `import { db } from './all.js';
setInterval(() => { console.log(db.prepare('select * from v order by id').all()); }, 1000);
`,
    });
    assert.equal(said.filter((line) => line.includes('left')).length, 0, said.join('\n'));
    for (const file of ['rows.js', 'more.js', 'last.ts'])
      assert.match(texts[file] ?? '', /async \(\) => \{ console\.log\(await [\w.]*db\.prepare/, file);
  });

  const uses: Record<string, string> = {
    'uses its module as a whole': `import * as all from './db.js';
export const get = (name) => all[name];
`,
    'hands it on': `import { db } from './db.js';
import { wrap } from 'lib';
export const orm = wrap(db);
`,
    'gives it another name': `import { db as store } from './db.js';
export const run = () => store.prepare('delete from t').run();
`,
    'uses it where nothing can wait': `import { byId } from './db.js';
export class Row { constructor() { this.row = byId.get(1); } }
`,
  };
  for (const [name, text] of Object.entries(uses))
    it(`is left where one ${name}`, async () => {
      const files = {
        'package.json': PACKAGE,
        'db.js': DB,
        'rows.js': ROWS,
        'server.js': SERVER,
        'use.js': text,
      };
      const { texts, said } = await moved(files);
      assert.deepEqual(texts, files, said.join('\n'));
      assert.ok(
        said.some((line) => line.startsWith('rows.js:2 left')),
        said.join('\n'),
      );
    });

  const OPENER = `import Database from 'better-sqlite3';
let db: Database.Database | undefined;
export function getDb(): Database.Database {
  if (!db) {
    db = new Database('x.db');
    db.pragma('journal_mode = WAL');
  }
  return db;
}
`;
  it('moves where a function opens it at the first call', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'db.ts': OPENER,
      'rows.ts': `import { getDb } from './db.js';
setInterval(() => { console.log(getDb().prepare('select * from t order by id').all()); }, 1000);
export const one = (id: number) => {
  const db = getDb();
  return db.prepare('select * from t where id = ?').get(id);
};
setInterval(() => { console.log(one(1)); }, 1000);
`,
    });
    assert.equal(said.filter((line) => line.includes('left')).length, 0, said.join('\n'));
    assert.match(texts['db.ts'] ?? '', /export async function getDb\(\): Promise<Database> \{/);
    assert.match(texts['db.ts'] ?? '', /await db\.pragma\('journal_mode = WAL'\);/);
    assert.match(texts['rows.ts'] ?? '', /await \(await getDb\(\)\)\.prepare\('.*'\)\.all\(\)/);
    assert.match(texts['rows.ts'] ?? '', /const db = await getDb\(\);/);
  });

  for (const [name, text] of Object.entries({
    'is handed on': `import { getDb } from './db.js';
export const opener = { open: getDb };
`,
    'is called where nothing can wait': `import { getDb } from './db.js';
export class Rows { rows = getDb().prepare('select * from t').all(); }
`,
  }))
    it(`is left where such a function ${name}`, async () => {
      const files = {
        'package.json': PACKAGE,
        'db.ts': OPENER,
        'rows.ts': `import { getDb } from './db.js';
setInterval(() => { console.log(getDb().prepare('select * from t order by id').all()); }, 1000);
`,
        'use.ts': text,
      };
      const { texts, said } = await moved(files);
      assert.deepEqual(texts, files, said.join('\n'));
    });

  it('is left where it is public', async () => {
    const files = {
      'package.json': JSON.stringify({ name: 'lib', type: 'module', exports: './db.js' }),
      'db.js': DB,
      'rows.js': ROWS,
      'server.js': SERVER,
    };
    const { texts } = await moved(files);
    assert.deepEqual(texts, files);
    const { texts: allowed } = await moved(files, { allowApiChange: true });
    assert.notDeepEqual(allowed, files);
  });
});
