import type fs from 'node:fs';
import type { HostInit } from './calls.ts';
import type { RawDatabase } from './raw-database.ts';

/**
 * Opens the database with its driver. Holds no reference to its module: hosts get its source.
 * @throws what the driver throws; TypeError for bytes that node:sqlite is to open
 */
export function openDriver(init: HostInit, require: NodeJS.Require): RawDatabase {
  const { driver, path, readonly, fileMustExist, timeout, nativeBinding } = init;
  if (driver.name !== 'node:sqlite') {
    const Database = require(driver.path) as new (path: string | Uint8Array, options: object) => RawDatabase;
    return new Database(typeof path === 'string' ? path : Buffer.from(path), {
      readonly,
      fileMustExist,
      timeout,
      ...(nativeBinding !== undefined && { nativeBinding }),
    });
  }
  if (typeof path !== 'string') throw new TypeError('node:sqlite opens no database from bytes');
  const { DatabaseSync } = require('node:sqlite') as {
    DatabaseSync: new (path: string, options: object) => RawDatabase;
  };
  const { existsSync } = require('node:fs') as Pick<typeof fs, 'existsSync'>;
  // It has no such option: what SQLite itself would say.
  if (fileMustExist && !existsSync(path)) {
    throw Object.assign(new Error('unable to open database file'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 14,
      errstr: 'unable to open database file',
    });
  }
  // blocking-call: ok — the host's own thread or process runs this
  const db = new DatabaseSync(path, { readOnly: readonly, allowExtension: true });
  // blocking-call: ok — the host's own thread or process runs this
  db.exec(`PRAGMA busy_timeout = ${timeout}`);
  return db;
}
