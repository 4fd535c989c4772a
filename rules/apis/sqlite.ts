import { bare } from './tables.ts';
import type { LoopRow, SqliteEffect } from './loop-rows.ts';

interface Driver {
  module: string;
  /** What opens a database. */
  opens: readonly string[];
  /** The type of a database, where it has another name than what opens it. */
  types?: readonly string[];
  prepares: readonly string[];
  database: Readonly<Record<string, SqliteEffect>>;
  statement: Readonly<Record<string, SqliteEffect>>;
  /** Methods of a statement that give the statement back. */
  chains?: readonly string[];
}

const STATEMENT = { get: 'get', all: 'all', run: 'run', iterate: 'iterate' } as const;

const likeBetterSqlite3 = (module: string): Driver => ({
  module,
  opens: [''],
  types: ['Database'],
  prepares: ['prepare'],
  database: { exec: 'exec', pragma: 'pragma', serialize: 'exec' },
  statement: STATEMENT,
  chains: ['bind', 'expand', 'pluck', 'raw', 'safeIntegers'],
});

/**
 * Drivers whose methods block until SQLite has answered.
 *
 * Left out, each for a reason: `sqlite3` and `sqlite` work in the thread pool, `libsql/promise` in one of its own, and
 * `sql.js` computes in memory, waits for no disk and no lock, and has no other form than a worker's.
 */
const drivers: readonly Driver[] = [
  likeBetterSqlite3('better-sqlite3'),
  likeBetterSqlite3('better-sqlite3-multiple-ciphers'),
  likeBetterSqlite3('@signalapp/better-sqlite3'),
  likeBetterSqlite3('libsql'),
  {
    // `Database` and `Statement` came with Node 26.12 and are synchronous too (tried).
    module: 'node:sqlite',
    opens: ['DatabaseSync', 'Database'],
    prepares: ['prepare'],
    database: { exec: 'exec', applyChangeset: 'run' },
    statement: STATEMENT,
  },
  {
    module: '@photostructure/sqlite',
    opens: ['DatabaseSync'],
    prepares: ['prepare'],
    database: { exec: 'exec' },
    statement: STATEMENT,
  },
  {
    module: 'bun:sqlite',
    opens: ['Database', '', 'Database.open'],
    prepares: ['prepare', 'query'],
    database: { exec: 'exec', run: 'exec', serialize: 'exec' },
    statement: { ...STATEMENT, values: 'all' },
    chains: ['as'],
  },
  {
    module: '@db/sqlite',
    opens: ['Database'],
    prepares: ['prepare'],
    database: { exec: 'exec', run: 'exec', sql: 'exec' },
    statement: { ...STATEMENT, value: 'get', values: 'all' },
  },
];

function rowsOf(driver: Driver): LoopRow[] {
  const { module, opens, types = [], prepares, database, statement, chains = [] } = driver;
  const method = (path: string, sqlite: SqliteEffect): LoopRow => ({ module, path, sqlite });
  return [
    ...opens.map((path): LoopRow => ({ module, path, returns: 'Database#', sqlite: 'open' })),
    ...types.map((path): LoopRow => ({ module, path, returns: 'Database#' })),
    ...['Statement', 'StatementSync'].map((path): LoopRow => ({ module, path, returns: 'Statement#' })),
    ...prepares.map((name): LoopRow => ({ module, path: `Database#.${name}`, returns: 'Statement#' })),
    ...Object.entries(database).map(([name, effect]) => method(`Database#.${name}`, effect)),
    ...Object.entries(statement).map(([name, effect]) => method(`Statement#.${name}`, effect)),
    ...chains.map((name): LoopRow => ({ module, path: `Statement#.${name}`, returns: 'Statement#' })),
    { module, path: 'Database#.createTagStore', returns: 'Statement#' },
    { module, path: 'Database#.transaction', returns: 'Transaction#' },
    { module, path: 'Transaction', returns: 'Transaction#' },
    ...['', '.deferred', '.exclusive', '.immediate'].map((name) =>
      method(`Transaction#${name}`, 'transaction'),
    ),
  ];
}

/** Their modules, as the table calls them. */
export const SQLITE_MODULES: ReadonlySet<string> = new Set(drivers.map(({ module }) => bare(module)));

/** What the synchronous SQLite drivers do, followed from the constructor to the call. */
export const sqliteRows: readonly LoopRow[] = drivers.flatMap(rowsOf);
