// What the tests of the facade share. OWNED_SPAWN_DRIVER (better-sqlite3 | node:sqlite) and OWNED_SPAWN_RESOLVE_FROM say
// which driver they run against; the heavy tests try all (../sqlite.heavy.ts).
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { openDatabase, type Database, type DatabaseOptions } from '../../../runtime/off-loop/sqlite.ts';
import type { DriverName } from '../../../runtime/off-loop/sqlite/driver.ts';
import { folderOf } from '../program.ts';

const driver = (process.env.OWNED_SPAWN_DRIVER ?? 'node:sqlite') as DriverName;
const resolveFrom = process.env.OWNED_SPAWN_RESOLVE_FROM;
/** What every database of the tests is opened with. */
export const common: DatabaseOptions = { driver, ...(resolveFrom !== undefined && { resolveFrom }) };
export const isBetter = driver === 'better-sqlite3';
export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
/** Of an error that says that the database is locked. */
export const busyCode = isBetter ? 'SQLITE_BUSY' : 'ERR_SQLITE_ERROR';
/** Takes seconds, in native code that nothing interrupts. */
export const HEAVY = (n: number): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n}) select count(*) as hits from n where i % 7 = 3`;

/** Opens a database that is closed after the test. */
export function open(
  t: TestContext,
  options: DatabaseOptions = {},
  path = join(folderOf(t), 'a.db'),
): Database {
  const db = openDatabase(path, { ...common, ...options });
  t.after(() => db.close({ withinMs: 100 }));
  return db;
}

export const rows = (db: Database, sql: string): Promise<unknown[]> => db.prepare(sql).all();
/** The first column of the first row. */
export const one = async (db: Database, sql: string): Promise<unknown> =>
  Object.values((await db.prepare(sql).get()) as object)[0];

/** Opens a database with one counter at 0: `n` of the only row of `c`. */
export async function counter(
  t: TestContext,
  options: DatabaseOptions,
  wal: boolean,
  path?: string,
): Promise<Database> {
  const db = open(t, options, path);
  if (wal) await db.pragma('journal_mode = WAL');
  await db.exec('create table c (id integer primary key, n integer); insert into c values (1, 0)');
  return db;
}

/** Tests against the driver, where this Node has it. */
export function describeDriver(name: string, tests: () => void): void {
  describe(`${driver}, ${name}`, { skip: !isBetter && !isBuiltin(driver) && `needs ${driver}` }, tests);
}

/** Tests against the driver in each kind of host. */
export function describeHosts(name: string, tests: (host: 'thread' | 'process') => void): void {
  for (const host of ['thread', 'process'] as const)
    describeDriver(`host ${host}, ${name}`, () => {
      tests(host);
    });
}
