// Databases and statements of SQLite drivers that other files open and hand on, with no types to tell of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import * as parser from '@typescript-eslint/parser';
import type { Finding } from '../../../rules/check/finding.ts';
import plugin from '../../../rules/index.ts';
import { CheckProject } from '../../helpers/check-project.ts';

const RULE = 'owned-spawn/no-blocking-call-path';
const OPEN = "import Database from 'better-sqlite3';\n";
const REQUIRE = "const Database = require('better-sqlite3');\n";
const ALL = "export async function h() { return db.prepare('select * from t').all(); }\n";

/** `file:line callee` of what is reported across files. */
async function found(files: Record<string, string>): Promise<string[]> {
  using project = new CheckProject(files);
  const { out } = await project.check(['--format', 'json']);
  return (JSON.parse(out) as Finding[])
    .filter(({ ruleId }) => ruleId === RULE)
    .map(({ file, line, callee }) =>
      `${file}:${String(line)} ${callee ?? ''}`.replace('better-sqlite3', 'db'),
    );
}

const handed: Record<string, [files: Record<string, string>, expected: string[]]> = {
  'by `module.exports`': [
    {
      'db.js': `${REQUIRE}module.exports = new Database('x');\n`,
      'a.js': "const db = require('./db');\nexports.h = async () => db.exec('x');\n",
    },
    ['a.js:2 db.Database.exec'],
  ],
  'by members of `module.exports`': [
    {
      'db.js': `${REQUIRE}const db = new Database('x');\nmodule.exports = { db };\nexports.other = db;\n`,
      'a.js': "const { db } = require('./db');\nexports.h = async () => db.exec('x');\n",
      'b.js': "const lib = require('./db');\nexports.h = async () => lib.other.exec('x');\n",
    },
    ['a.js:2 db.Database.exec', 'b.js:2 db.Database.exec'],
  ],
  'by exports, default exports and namespaces': [
    {
      'db.js': `${OPEN}export const db = new Database('x');\nexport default db;\n`,
      'a.js': `import { db } from './db.js';\n${ALL}`,
      'b.js': `import db from './db.js';\n${ALL}`,
      'c.js': "import * as lib from './db.js';\nexport async function h() { lib.db.exec('x'); }\n",
      'd.js': "export async function h() { (await import('./db.js')).db.exec('x'); }\n",
    },
    ['a.js:2', 'b.js:2', 'c.js:2', 'd.js:1'].map(
      (place, at) => `${place} ${at < 2 ? 'db.Statement.all' : 'db.Database.exec'}`,
    ),
  ],
  'by functions': [
    {
      'db.js': `${OPEN}let db;
export function getDb() { return db; }
export async function ready() { return getDb(); }
export const deps = (path) => ({ db: getDb(), path });
db = new Database('x');
`,
      'a.js': `import { deps, getDb, ready } from './db.js';
const { db } = deps('x');
export async function h() { getDb().exec('x'); }
export async function k() { (await ready()).exec('x'); }
export async function l() { db.exec('x'); }
`,
    },
    ['a.js:3 db.Database.exec', 'a.js:4 db.Database.exec', 'a.js:5 db.Database.exec'],
  ],
  'by classes, their bases and statics': [
    {
      'store.js': `${REQUIRE}class Store {
  static shared = new Database('shared');
  constructor() { this.db = new Database('x'); }
  get connection() { return this.db; }
}
module.exports = { Store, store: new Store() };
`,
      'a.js': `const { Store, store } = require('./store');
exports.h = async () => store.db.exec('x');
exports.k = async () => store.connection.exec('x');
exports.l = async () => Store.shared.exec('x');
class Users extends Store { async all() { this.db.exec('x'); } }
`,
    },
    ['a.js:2', 'a.js:3', 'a.js:4', 'a.js:5'].map((place) => `${place} db.Database.exec`),
  ],
  'through barrels, in TypeScript with `any`': [
    {
      'lib/db.ts': `${OPEN}export const db: any = new Database('x');\n`,
      'lib/index.ts': "export * from './db';\n",
      'index.ts': "import { db } from './lib';\nexport { db as database };\nexport default { db };\n",
      'a.ts': `import { database as db } from '.';\n${ALL}`,
      'b.ts': "import all from './index';\nexport async function h() { all.db.exec('x'); }\n",
    },
    ['a.ts:2 db.Statement.all', 'b.ts:2 db.Database.exec'],
  ],
  'by the name of a package': [
    {
      'packages/db/package.json': '{ "name": "@own/db", "main": "dist/index.js" }',
      'packages/db/src/index.ts': `${OPEN}export const db: any = new Database('x');\n`,
      'packages/app/package.json': '{ "name": "app" }',
      'packages/app/a.ts': `import { db } from '@own/db';\n${ALL}`,
    },
    ['packages/app/a.ts:2 db.Statement.all'],
  ],
  'as statements and transactions': [
    {
      'queries.js': `${OPEN}const db = new Database('x');
export const list = db.prepare('select * from t');
export const byId = db.prepare('select name from t where id = ?');
export const queries = { add: db.prepare('insert into t values (?)') };
export const save = db.transaction((x) => x);
`,
      'a.js': `import { byId, list, queries, save } from './queries.js';
export async function h() { return list.all(); }
export async function k() { queries.add.run(1); }
export async function l() { save(1); }
`,
    },
    ['a.js:2 db.Statement.all', 'a.js:3 db.Statement.run', 'a.js:4 db.Transaction'],
  ],
  'to functions, and through these': [
    {
      'db.js': `${OPEN}export const db = new Database('x');\n`,
      'repo.js': `import { db } from './db.js';
export function all() { return db.prepare('select * from t').all(); }
export async function near() { return all(); }
`,
      'a.js': "import { all } from './repo.js';\nexport async function h() { return all(); }\n",
    },
    ['a.js:2 db.Statement.all', 'repo.js:3 db.Statement.all'],
  ],
  'as a driver that is exported again': [
    {
      'db.js': "export { default as Database } from 'better-sqlite3';\n",
      'a.js': `import { Database } from './db.js';\nconst db = new Database('x');\n${ALL}`,
    },
    ['a.js:3 db.Statement.all'],
  ],
  'by what a compiler made': [
    {
      'db.js': `exports.db = void 0;
const better_sqlite3_1 = __importDefault(require("better-sqlite3"));
exports.db = new better_sqlite3_1.default("x");
`,
      'a.js': 'const db_1 = require("./db");\nexports.h = async () => { db_1.db.exec("x"); };\n',
    },
    ['a.js:2 db.Database.exec'],
  ],
};

describe('a SQLite database of another file', () => {
  for (const [how, [files, expected]] of Object.entries(handed))
    it(`is known where it is handed ${how}`, async () => {
      assert.deepEqual(await found(files), expected);
    });

  it('is none where it is a query builder, a client or a map', async () => {
    assert.deepEqual(
      await found({
        'db.ts': `import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import knex from 'knex';
import { drizzle } from 'drizzle-orm/libsql';
import postgres from 'postgres';
import Redis from 'ioredis';
export const db = new Kysely({ dialect: new SqliteDialect({ database: new Database('x') }) });
export const k = knex({ client: 'better-sqlite3' });
export const d = drizzle('file:x');
export const sql = postgres('x');
export const redis = new Redis();
export const cache = new Map();
`,
        'a.ts': `import { cache, d, db, k, redis, sql } from './db';
export async function h() {
  await db.transaction().execute(work);
  await k('t').all();
  await d.all();
  await d.run();
  sql.values();
  redis.exec();
  return cache.get('x');
}
`,
      }),
      [],
    );
  });

  it('is none where an own name hides it, or a function is private', async () => {
    assert.deepEqual(
      await found({
        'db.js': `${OPEN}export const db = new Database('x');
export class Store { #db = new Database('y'); exec() {} }
`,
        'a.js': `import { db, Store } from './db.js';
export async function h(db) { db.exec('x'); }
export async function k() { new Map([[db]]).get(db); Store.prototype.exec(); }
`,
      }),
      [],
    );
  });

  it('is reported with what the call does, and by ESLint with types as by `check`', async () => {
    using project = new CheckProject({
      'db.ts': `${OPEN}export const db: any = new Database('x');\n`,
      'a.ts': `import { db } from './db';\n${ALL}`,
      'tsconfig.json':
        '{ "compilerOptions": { "types": [], "module": "esnext", "moduleResolution": "bundler" } }',
    });
    const eslint = new ESLint({
      cwd: project.folder,
      overrideConfigFile: true,
      overrideConfig: {
        files: ['**/*.ts'],
        plugins: { 'owned-spawn': plugin },
        rules: { [RULE]: 'error' },
        languageOptions: {
          parser,
          parserOptions: { project: './tsconfig.json', tsconfigRootDir: project.folder },
        },
      },
    });
    const [result] = await eslint.lintFiles(['a.ts']);
    const { out } = await project.check(['--format', 'json']);
    const [finding] = JSON.parse(out) as Finding[];
    assert.deepEqual(
      result?.messages.map(({ message }) => message),
      [finding?.message],
    );
    assert.match(
      finding?.message ?? '',
      /^`all` blocks .* async `h`: h → all \(a\.ts:2\), which reads all rows of a query\. Use `openDatabase`/,
    );
  });
});
