import { noBlockingSqlite } from '../../rules/no-blocking-sqlite.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const advice = 'Use `openDatabase` of `owned-spawn/sqlite`, or move it off the loop.';

/** An error of a call that is reported where it stands. */
const direct = (
  name: string,
  what: string,
  inside: string,
  line: number,
  column: number,
  length: number,
) => ({
  messageId: 'direct' as const,
  data: { name, what, inside, advice },
  line,
  column,
  endLine: line,
  endColumn: column + length,
});

ruleTester.run('no-blocking-sqlite', noBlockingSqlite, {
  valid: [
    {
      name: 'at the start, and what only prepares',
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
db.pragma('journal_mode = WAL');
db.exec('create table if not exists t (id)');
export const select = async (sql) => db.prepare(sql);
`,
    },
    {
      name: 'rows by their key, short lists, databases in memory, settings that are read',
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
const byId = db.prepare('select * from users where id = ?');
export class Users {
  #one = db.prepare('SELECT name FROM users WHERE id = :id AND tenant = :tenant LIMIT 1');
  async get(id) {
    new Database(':memory:');
    db.pragma('user_version');
    db.prepare('select id from users limit 10').all();
    return [byId.get(id), this.#one.get({ id })];
  }
}
`,
    },
    {
      name: 'look-alikes',
      code: `
import { Kysely } from 'kysely';
import sqlite3 from 'sqlite3';
import { open } from 'sqlite';
import initSqlJs from 'sql.js';
import { DatabaseSync } from './own.js';
const map = new Map();
const db = new sqlite3.Database('a.db');
export async function work(knex, prisma) {
  await new Kysely({}).insertInto('t').values({}).execute();
  await prisma.$transaction([]);
  await db.all('select 1');
  const promised = await open({ filename: 'a.db' });
  await promised.exec('vacuum');
  const { Database } = await initSqlJs();
  new Database().run('create table t (id)');
  new DatabaseSync('x').exec('y');
  return map.get('x');
}
`,
    },
    {
      name: 'a worker',
      code: `
import { parentPort } from 'node:worker_threads';
import Database from 'better-sqlite3';
const db = new Database('a.db');
parentPort.on('message', async (sql) => parentPort.postMessage(db.prepare(sql).all()));
`,
    },
    {
      name: 'a marker',
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
// blocking-call: ok — a hundred rows on a local disk
export const all = async () => db.prepare('select * from settings').all();
`,
    },
  ],
  invalid: [
    {
      name: 'from the constructor to the call: constants, fields, getters, results, parameters, types',
      code: `
import Database from 'better-sqlite3';
import type { Database as Db, Statement } from 'better-sqlite3';
const { DatabaseSync } = require('node:sqlite');
let lazy;
function open() { return (lazy ??= new DatabaseSync('a.db')); }
export class Store {
  db = new Database('b.db');
  declare statement: Statement;
  get connection() { return this.db; }
  constructor(private readonly given: Db) { this.insert = this.db.prepare('insert into t values (?)'); }
  async work(other: Database.Database) {
    open().exec('vacuum');
    this.connection.pragma('wal_checkpoint(TRUNCATE)');
    this.insert.run(1);
    this.given.prepare('select * from t').pluck().all();
    this.statement.iterate();
    return other.prepare('select max(id) from t').get();
  }
}
`,
      errors: [
        {
          messageId: 'path',
          data: {
            name: 'open',
            inside: 'async `Store.work`',
            path: 'Store.work → open (file.ts:13) → DatabaseSync (file.ts:6)',
            more: '',
            what: 'opens a database',
            advice,
          },
          line: 13,
          column: 5,
          endLine: 13,
          endColumn: 9,
        },
        direct('exec', 'runs SQL', 'async `Store.work`', 13, 12, 4),
        direct('pragma', 'runs a pragma', 'async `Store.work`', 14, 21, 6),
        direct('run', 'writes', 'async `Store.work`', 15, 17, 3),
        direct('all', 'reads all rows of a query', 'async `Store.work`', 16, 16, 7),
        direct('iterate', 'steps through a query', 'async `Store.work`', 17, 20, 7),
        direct('get', 'runs a query', 'async `Store.work`', 18, 18, 7),
      ],
    },
    {
      name: 'what a function of the file hands to its callbacks',
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
const wrap = (sql, run) => run(db.prepare(sql));
function inside(work) { return work(db); }
function typed(work: (statement: Database.Statement) => void) { work(cache[key]); }
export async function vacuum() {
  wrap('vacuum', (statement) => statement.run());
  inside((given) => given.exec('vacuum'));
  typed((statement) => statement.all());
}
`,
      errors: [
        direct('run', 'writes', 'async `vacuum`', 8, 43, 3),
        direct('exec', 'runs SQL', 'async `vacuum`', 9, 27, 4),
        direct('all', 'reads all rows of a query', 'async `vacuum`', 10, 34, 3),
      ],
    },
    {
      name: 'queries that are not by a key, and those that are in a loop',
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
const byId = db.prepare('select * from users where id = ?');
export async function work(ids, sql) {
  for (const id of ids) byId.get(id);
  ids.map((id) => byId.get(id));
  db.prepare('select count(*) from users where id = ?').get(1);
  db.prepare('select * from users where name like ?').get('a%');
  db.prepare('select * from a join b using (id) where a.id = ?').get(1);
  db.prepare(sql).get(1);
  db.prepare('select * from users order by name limit 10').all();
}
`,
      errors: [
        direct('get', 'runs a query', 'async `work`', 6, 30, 3),
        direct('get', 'runs a query', 'async `work`', 7, 24, 3),
        direct('get', 'runs a query', 'async `work`', 8, 6, 7),
        direct('get', 'runs a query', 'async `work`', 9, 6, 7),
        direct('get', 'runs a query', 'async `work`', 10, 6, 7),
        direct('get', 'runs a query', 'async `work`', 11, 6, 7),
        direct('all', 'reads all rows of a query', 'async `work`', 12, 6, 7),
      ],
    },
    {
      name: 'transactions, where they are run',
      code: `
import { Database } from 'bun:sqlite';
const db = new Database('a.db');
const save = db.transaction((rows) => rows.forEach((row) => db.run('insert into t values (?)', row)));
export const one = async (rows) => save(rows);
export const two = async (rows) => save.immediate(rows);
export const three = async () => db.query('select 1').values();
`,
      errors: [
        direct('save', 'runs a transaction', 'async `one`', 5, 36, 4),
        direct('immediate', 'runs a transaction', 'async `two`', 6, 41, 9),
        direct('values', 'reads all rows of a query', 'async `three`', 7, 37, 5),
      ],
    },
    {
      name: 'rows by their key, if asked for',
      options: [{ pointQueries: true }],
      code: `
import Database from 'better-sqlite3';
const db = new Database('a.db');
export const one = async (id) => db.prepare('select * from users where id = ?').get(id);
`,
      errors: [direct('get', 'runs a query', 'async `one`', 4, 37, 7)],
    },
  ],
});
