/** A driver that the facade works with. */
export interface SqliteDriver {
  /** Options that the facade has, by their names there. */
  options: Readonly<Record<string, string>>;
  /** Methods of the database that become promises. */
  leaves: RegExp;
  properties: RegExp;
}

/** The drivers that the facade works with, by the modules that they are imported from. */
export const SQLITE_DRIVERS: Readonly<Record<string, SqliteDriver>> = {
  'better-sqlite3': {
    options: {
      readonly: 'readonly',
      fileMustExist: 'fileMustExist',
      timeout: 'timeout',
      nativeBinding: 'nativeBinding',
    },
    leaves: /^(exec|pragma|close|serialize)$/,
    properties: /^(name|open|memory|readonly|inTransaction)$/,
  },
  'node:sqlite': {
    options: { readOnly: 'readonly', timeout: 'timeout' },
    leaves: /^(exec|close)$/,
    properties: /^$/,
  },
};

/** What the text of a file names that opens a database. */
export const OPENS_SQLITE = new RegExp(Object.keys(SQLITE_DRIVERS).join('|').replaceAll('node:', ''));
