import { availableParallelism } from 'node:os';
/* eslint-disable-next-line @typescript-eslint/ban-ts-comment -- it goes into the declarations */
/** @ts-ignore: older types of Node have no node:sqlite, and rows are `any` there */
import type { StatementSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { callSite } from './host/call-site.ts';
import { offLoopError } from './host/codec.ts';
import type { HostKind } from './host/start-host.ts';
import type { BackupOptions, BackupProgress } from './sqlite/backup-options.ts';
import { createEngine } from './sqlite/engine.ts';
import { chooseDriver, otherBuilds, type Driver, type DriverName } from './sqlite/driver.ts';
import type { BeginMode } from './sqlite/scheduler.ts';
import { createStatement, type BoundStatement, type Statement } from './sqlite/statement.ts';

export type { BackupOptions, BackupProgress } from './sqlite/backup-options.ts';
export type { BoundStatement, RunResult, Statement } from './sqlite/statement.ts';

/** How a database is opened. */
export interface DatabaseOptions {
  /** The driver that the application uses already. By default the one that is loaded, else better-sqlite3, else node:sqlite. */
  driver?: DriverName;
  /** Where better-sqlite3 is looked for first: `import.meta.url` or `__filename`. */
  resolveFrom?: string | URL;
  /** `thread` (default): a call costs some 20 µs. `process`: an abort kills the query, a crash is nobody else's. */
  host?: HostKind;
  /** Connections that only read, in WAL: a long write does not hold up a read, nor the other way round. 1 by default, at most 4; started when needed. */
  readers?: number;
  /** A module whose default export is called with each new connection of the driver: for functions, aggregates, extensions. */
  setup?: URL | string;
  readonly?: boolean;
  fileMustExist?: boolean;
  /** How long a statement waits for a lock of another connection, in milliseconds; 5000 by default. */
  timeout?: number;
  /** better-sqlite3's addon, where a bundler moved it. */
  nativeBinding?: string;
  /** Calls and transactions that may wait, 1024 by default; more are rejected with ERR_OWNED_SPAWN_OVERLOAD. */
  maxPending?: number;
  /** Told who holds a lock when a call fails with SQLITE_BUSY, and of transactions that keep others waiting. By default a warning of the process. */
  log?: (message: string) => void;
}

type AnyFunction = (...args: never[]) => unknown;

/** A function that runs in a transaction of its own. */
export interface Transaction<F extends AnyFunction> {
  (...args: Parameters<F>): Promise<Awaited<ReturnType<F>>>;
  readonly database: Database;
  readonly default: (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;
  readonly deferred: (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;
  readonly immediate: (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;
  readonly exclusive: (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;
}

/** A database as the drivers have it, whose queries are promises. */
export interface Database<DefaultRow = unknown> {
  /** The path as given. */
  readonly name: string;
  readonly open: boolean;
  readonly memory: boolean;
  readonly readonly: boolean;
  /** Whether the running code is inside a transaction of this database. */
  readonly inTransaction: boolean;
  /** A statement; free, and compiled at its first use. */
  prepare<Row = DefaultRow>(sql: string): Statement<Row>;
  /** Runs a script; resolves to this database. */
  exec: (sql: string, options?: { signal?: AbortSignal }) => Promise<Database<DefaultRow>>;
  pragma: (text: string, options?: { simple?: boolean }) => Promise<unknown>;
  /** Runs statements in one transaction and one round trip: `batch(rows.map((row) => insert.of(row)))`. Rows where a statement returns some, else what it changed. */
  batch: (statements: readonly BoundStatement[]) => Promise<unknown[]>;
  /**
   * Wraps a function in a transaction, IMMEDIATE by default: what it awaits of this database runs in it, calls of others
   * wait until it is over, and it is rolled back where the function throws. Inside another one it is a savepoint.
   */
  transaction<F extends AnyFunction>(work: F): Transaction<F>;
  /** Copies the database to a file while it is used. */
  backup: (path: string, options?: BackupOptions) => Promise<BackupProgress>;
  /** The database as bytes; which one, where others are attached. */
  serialize: (options?: { attached?: string }) => Promise<Buffer>;
  /** Whether statements prepared from now on give integers as BigInt. */
  defaultSafeIntegers(on?: boolean): Database<DefaultRow>;
  /** Loads an extension into each connection. */
  loadExtension: (path: string) => Promise<void>;
  /** Cannot be: a closure stays on this side. Use the option `setup`. */
  function(...args: unknown[]): never;
  /** See {@link Database.function}. */
  aggregate(...args: unknown[]): never;
  /** See {@link Database.function}. */
  table(...args: unknown[]): never;
  /** Waits for what is pending, at most `withinMs` (2000), and closes the connections. False where something was left undone. */
  close(options?: { withinMs?: number }): Promise<boolean>;
}

/** A row as the types of node:sqlite have it. */
type NodeRow = ReturnType<StatementSync['all']>[number];

/** A database that node:sqlite opens: its rows have the types that they have there. */
export type NodeDatabase = Database<NodeRow>;

/** A statement of {@link NodeDatabase}. */
export type NodeStatement = Statement<NodeRow>;

const MAX_READERS = 4;

/**
 * Opens a SQLite database off the event loop, with the driver of the application. Returns at once: the connection is opened
 * at the first call, and that call rejects where it cannot be.
 * @param path a file, `:memory:`, or the bytes of a database (better-sqlite3)
 * @throws ERR_OWNED_SPAWN_NO_DRIVER; ERR_OWNED_SPAWN_SECOND_SQLITE with `host: 'thread'` where another SQLite is loaded
 */
export function openDatabase(
  path: string | URL | Uint8Array,
  options: DatabaseOptions & { driver: 'node:sqlite' },
): NodeDatabase;
export function openDatabase(path: string | URL | Uint8Array, options?: DatabaseOptions): Database;
export function openDatabase(path: string | URL | Uint8Array, options: DatabaseOptions = {}): Database {
  const bytes = path instanceof Uint8Array ? path : undefined;
  const name = nameOf(path);
  const driver = chooseDriver(options.driver, options.resolveFrom);
  const log =
    options.log ??
    ((message: string) => {
      process.emitWarning(message, { code: 'OWNED_SPAWN_SQLITE' });
    });
  const { readonly = false, readers = 1, maxPending = 1024, timeout = 5000 } = options;
  const engine = createEngine({
    path: name,
    bytes,
    driver,
    host: hostFor(driver, options.host, log),
    readers: readonly ? 0 : Math.min(readers, MAX_READERS, availableParallelism()),
    setup: options.setup === undefined ? undefined : moduleUrl(options.setup),
    readonly,
    fileMustExist: options.fileMustExist ?? false,
    timeout,
    nativeBinding: options.nativeBinding,
    maxPending,
    log,
  });
  const closure = (what: string) => (): never => {
    throw new TypeError(
      `${what}() takes a closure, which cannot leave this thread: put it into a module, export default (db) => { db.${what}(…) }, and name that as the option setup`,
    );
  };
  let safeIntegers: boolean | undefined;
  const database: Database = {
    name,
    memory: name === '' || name === ':memory:',
    readonly,
    get open() {
      return !engine.isClosed();
    },
    get inTransaction() {
      return engine.isInTransaction();
    },
    prepare: (sql) => {
      const flags = safeIntegers === undefined ? undefined : { safeIntegers };
      return createStatement(engine, { sql: checkText(sql), flags, signal: undefined, params: undefined });
    },
    defaultSafeIntegers: (on = true) => {
      safeIntegers = on;
      return database;
    },
    exec: async (sql, { signal } = {}) => {
      await engine.exec(checkText(sql), signal, callSite(database.exec));
      return database;
    },
    pragma: async (text, options = {}) => {
      if (typeof options !== 'object')
        throw new TypeError('Expected second argument to be an options object');
      return engine.pragma(checkText(text), options.simple ?? false, callSite(database.pragma));
    },
    batch: async (statements) => engine.batch(statements, callSite(database.batch)),
    transaction: <F extends AnyFunction>(work: F): Transaction<F> => {
      if (typeof work !== 'function') throw new TypeError('Expected first argument to be a function');
      const mode = (begin: BeginMode) => {
        const run = function (this: unknown, ...args: Parameters<F>): Promise<Awaited<ReturnType<F>>> {
          return engine.transaction(
            begin,
            () => work.apply(this, args) as Awaited<ReturnType<F>>,
            callSite(run),
          );
        };
        return run;
      };
      const immediate = mode('IMMEDIATE');
      const modes = {
        default: immediate,
        deferred: mode('DEFERRED'),
        immediate,
        exclusive: mode('EXCLUSIVE'),
      };
      for (const each of Object.values(modes)) Object.assign(each, modes, { database });
      return immediate as Transaction<F>;
    },
    backup: async (to, { attached = 'main', pages = 100, progress = () => undefined } = {}) =>
      engine.backup(checkFile(to), { attached, pages, progress }, callSite(database.backup)),
    serialize: async ({ attached = 'main' } = {}) => engine.serialize(attached, callSite(database.serialize)),
    loadExtension: async (extension) => engine.loadExtension(extension, callSite(database.loadExtension)),
    function: closure('function'),
    aggregate: closure('aggregate'),
    table: closure('table'),
    close: ({ withinMs = 2000 } = {}) => engine.close(withinMs),
  };
  return database;
}

function nameOf(path: unknown): string {
  if (path instanceof Uint8Array) return ':memory:';
  if (path instanceof URL) return fileURLToPath(path);
  if (typeof path !== 'string') throw new TypeError('Expected first argument to be a string');
  return path.startsWith('file:///') ? fileURLToPath(path) : path;
}

/** As the drivers do, at once: what is no text will never be SQL. */
function checkText(sql: unknown): string {
  if (typeof sql !== 'string') throw new TypeError('Expected first argument to be a string');
  return sql;
}

/** SQLite takes these for a database of its own that nobody would ever see. */
function checkFile(path: unknown): string {
  const file = checkText(path);
  if (file.trim() === '' || file === ':memory:')
    throw new TypeError(`a backup goes to a file, and ${JSON.stringify(file)} names none`);
  return file;
}

/** A thread, unless a second SQLite in this process would drop its locks. */
function hostFor(driver: Driver, asked: HostKind | undefined, log: (message: string) => void): HostKind {
  if (asked === 'process') return 'process';
  const others = otherBuilds(driver);
  if (others.length === 0) return 'thread';
  const problem = `a second SQLite is loaded in this process (${others.join(', ')}) beside ${driver.name}: on one file, each drops the other's locks, and the database is lost`;
  if (asked === 'thread') {
    throw offLoopError(
      'ERR_OWNED_SPAWN_SECOND_SQLITE',
      `${problem}. Use one driver for all, or host: 'process'`,
    );
  }
  log(
    `${problem}. Its host is therefore a process; use one driver for all, or say host: 'process' to quiet this`,
  );
  return 'process';
}

const moduleUrl = (module: URL | string): string =>
  module instanceof URL || /^[a-z-]{2,}:/.test(module) ? String(module) : pathToFileURL(module).href;
