import type fs from 'node:fs';
import type { encodeError } from '../host/codec.ts';
import type { Port, Surroundings } from '../host/program.ts';
import type { Reply, serve } from '../host/serve.ts';
import type { backup, BackupCall, BackupModule } from './backup.ts';
import type { createCursor, Cursor } from './cursor.ts';
import type { Driver } from './driver.ts';
import type { RawDatabase, RawStatement } from './raw-database.ts';

/** What a host opens. */
export interface HostInit {
  driver: Driver;
  /** A path, or the bytes of a database, which better-sqlite3 opens in memory. */
  path: string | Uint8Array;
  /** A reader refuses to write. */
  isReader: boolean;
  readonly: boolean;
  fileMustExist: boolean;
  /** How long a statement waits for a lock, in milliseconds. */
  timeout: number;
  nativeBinding: string | undefined;
  /** A module whose default export is called with each connection. */
  setup: string | undefined;
  /** What each connection needs that is kept by none: pragmas, attached files, extensions. */
  replay: Replay[];
  limits: { bytes: number; ms: number };
}

export type Replay = { sql: string } | { extension: string };

/** How rows come. */
export interface Flags {
  pluck?: boolean;
  raw?: boolean;
  expand?: boolean;
  safeIntegers?: boolean;
}

export type StatementCall = [sql: string, params: unknown[], flags: Flags | undefined];

/** What a host is asked. */
export type SqliteCall =
  | [op: 'run' | 'get' | 'all' | 'iterate' | 'columns', ...StatementCall]
  | [op: 'exec', given: string]
  | [op: 'pragma', given: { text: string; simple: boolean }]
  | [op: 'batch', given: StatementCall[]]
  | [op: 'backup', given: BackupCall]
  | [op: 'replay', given: Replay]
  | [op: 'serialize', given: { attached: string }]
  | [op: 'close' | 'journal', given?: undefined];

/** What else the program of a host is made of. */
export interface SqliteTools {
  serve: typeof serve;
  encodeError: typeof encodeError;
  createCursor: typeof createCursor;
  backup: typeof backup;
}

/** The program of a host: one connection, and one more for each iteration of a reader. */
export function main(port: Port, init: HostInit, tools: Surroundings & SqliteTools): void {
  interface Connection {
    db: RawDatabase;
    statements: Map<string, RawStatement>;
    cursors: Set<Cursor>;
  }
  const { driver } = init;
  const isNode = driver.name === 'node:sqlite';
  const MAX_STATEMENTS = 200;
  const replay = [...init.replay];
  let connection: Connection | undefined;
  let setup: ((db: RawDatabase) => unknown) | undefined;
  const spare: Connection[] = [];

  const load = (db: RawDatabase, what: Replay): void => {
    // blocking-call: ok — the host's own thread or process runs this
    if ('sql' in what) db.exec(what.sql);
    else {
      db.enableLoadExtension?.(true);
      db.loadExtension(what.extension);
    }
  };
  const open = async (): Promise<Connection> => {
    let db: RawDatabase;
    if (isNode) {
      if (typeof init.path !== 'string') throw new TypeError('node:sqlite opens no database from bytes');
      const { DatabaseSync } = tools.require('node:sqlite') as {
        DatabaseSync: new (path: string, options: object) => RawDatabase;
      };
      const missing =
        init.fileMustExist &&
        !(tools.require('node:fs') as Pick<typeof fs, 'existsSync'>).existsSync(init.path);
      if (missing) {
        throw Object.assign(new Error('unable to open database file'), {
          code: 'ERR_SQLITE_ERROR',
          errcode: 14,
          errstr: 'unable to open database file',
        });
      }
      // blocking-call: ok — the host's own thread or process runs this
      db = new DatabaseSync(init.path, { readOnly: init.readonly, allowExtension: true });
      // blocking-call: ok — the host's own thread or process runs this
      db.exec(`PRAGMA busy_timeout = ${init.timeout}`);
    } else {
      const Database = tools.require(driver.path) as new (
        path: string | Uint8Array,
        options: object,
      ) => RawDatabase;
      db = new Database(typeof init.path === 'string' ? init.path : Buffer.from(init.path), {
        readonly: init.readonly,
        fileMustExist: init.fileMustExist,
        timeout: init.timeout,
        ...(init.nativeBinding !== undefined && { nativeBinding: init.nativeBinding }),
      });
    }
    if (init.setup !== undefined) {
      const loaded = await tools.load(init.setup);
      const exported = loaded.default as typeof setup | { default?: typeof setup };
      setup = typeof exported === 'function' ? exported : exported?.default;
      if (typeof setup !== 'function')
        throw new TypeError(`${init.setup} has no function as its default export`);
      await setup(db);
    }
    for (const what of replay) load(db, what);
    // blocking-call: ok — the host's own thread or process runs this
    if (init.isReader) db.exec('PRAGMA query_only = 1');
    return { db, statements: new Map(), cursors: new Set() };
  };

  const prepared = ({ db, statements }: Connection, sql: string, flags: Flags = {}): RawStatement => {
    let mode = '';
    for (const name in flags) {
      const on = flags[name as keyof Flags];
      // Integers as numbers may be asked for against the default of a setup; a shape is there or not.
      if (on || name === 'safeIntegers') mode += `${name} ${String(on)} `;
    }
    const key = mode + sql;
    const known = statements.get(key);
    if (known) return known;
    const statement = db.prepare(sql);
    if (isNode) {
      if (flags.expand) throw new TypeError('node:sqlite has no expand()');
      if (flags.safeIntegers) statement.setReadBigInts?.(true);
      if (flags.raw) {
        if (!statement.setReturnArrays)
          throw new TypeError('this node:sqlite has no rows as arrays: Node 24 has');
        statement.setReturnArrays(true);
      }
    } else {
      if (flags.safeIntegers !== undefined) statement.safeIntegers?.(flags.safeIntegers);
      for (const name of ['pluck', 'raw', 'expand'] as const) if (flags[name]) statement[name]?.(true);
    }
    statements.set(key, statement);
    if (statements.size > MAX_STATEMENTS) {
      const [oldest = ''] = statements.keys();
      statements.delete(oldest);
    }
    return statement;
  };
  const first = (row: unknown): unknown => (row === undefined ? undefined : Object.values(row as object)[0]);
  const shaped = (flags: Flags | undefined, row: unknown): unknown =>
    isNode && flags?.pluck ? first(row) : row;

  const hasBlob = (row: unknown): boolean =>
    typeof row === 'object' &&
    row !== null &&
    (ArrayBuffer.isView(row) ||
      Object.values(row).some((value) => typeof value === 'object' && hasBlob(value)));
  const rowsOf = (
    at: Connection,
    [, sql, params, flags]: [op: unknown, ...StatementCall],
    ended = (): void => undefined,
  ): Reply => ({
    rows: tools.createCursor(
      at.cursors,
      prepared(at, sql, flags).iterate(...params),
      (row) => shaped(flags, row),
      ended,
    ),
    size: 256,
    note: (rows) => (!isNode && rows.some(hasBlob) ? 'blobs' : undefined),
  });
  const runOrAll = (at: Connection, [sql, params, flags]: StatementCall): unknown => {
    const statement = prepared(at, sql, flags);
    const returns = statement.reader ?? (statement.columns?.().length ?? 0) > 0;
    return returns ? statement.all(...params).map((row) => shaped(flags, row)) : statement.run(...params);
  };
  const isInTransaction = ({ db }: Connection): boolean => {
    const known =
      (db as { inTransaction?: boolean; isTransaction?: boolean }).inTransaction ??
      (db as { isTransaction?: boolean }).isTransaction;
    if (known !== undefined) return known;
    try {
      db.exec('BEGIN');
    } catch {
      return true;
    }
    db.exec('ROLLBACK');
    return false;
  };
  const batch = (at: Connection, calls: StatementCall[]): unknown[] => {
    const [begin, commit, undo] = isInTransaction(at)
      ? [
          'SAVEPOINT owned_spawn_batch',
          'RELEASE owned_spawn_batch',
          'ROLLBACK TO owned_spawn_batch; RELEASE owned_spawn_batch',
        ]
      : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'];
    at.db.exec(begin);
    try {
      const results = calls.map((call) => runOrAll(at, call));
      at.db.exec(commit);
      return results;
    } catch (error) {
      // Some errors have rolled back already: https://www.sqlite.org/lang_transaction.html
      if (isInTransaction(at)) at.db.exec(undo);
      throw error;
    }
  };
  const handle = (at: Connection, call: SqliteCall): Reply | Promise<Reply> => {
    for (const cursor of at.cursors) cursor.drain();
    switch (call[0]) {
      case 'run': {
        const [, sql, params, flags] = call;
        return { value: prepared(at, sql, flags).run(...params) };
      }
      case 'get': {
        const [, sql, params, flags] = call;
        return { value: shaped(flags, prepared(at, sql, flags).get(...params)) };
      }
      case 'all':
        return rowsOf(at, call);
      case 'iterate':
        // An open iteration keeps its connection at the state of its start: readers get one of their own.
        if (!init.isReader) return rowsOf(at, call);
        return Promise.resolve(spare.pop() ?? open()).then((own) =>
          rowsOf(own, call, () => {
            if (spare.length < 2) spare.push(own);
            else own.db.close();
          }),
        );
      case 'columns': {
        const [, sql, , flags] = call;
        return { value: prepared(at, sql, flags).columns?.() };
      }
      case 'exec':
        at.db.exec(call[1]);
        return { value: undefined };
      case 'pragma': {
        const { text, simple } = call[1];
        if (at.db.pragma) return { value: at.db.pragma(text, { simple }) };
        const rows = prepared(at, `PRAGMA ${text}`, {}).all();
        return { value: simple ? first(rows[0]) : rows };
      }
      case 'batch':
        return { value: batch(at, call[1]) };
      case 'backup':
        return {
          rows: tools.backup(
            at.db,
            call[1],
            isNode ? (tools.require('node:sqlite') as BackupModule) : undefined,
          ),
          size: 1,
        };
      case 'replay':
        replay.push(call[1]);
        for (const each of [at, ...spare]) load(each.db, call[1]);
        return { value: undefined };
      case 'serialize': {
        const bytes = at.db.serialize?.(call[1]);
        if (!bytes) throw new TypeError('this node:sqlite has no serialize(): use backup()');
        return { value: bytes, transfer: [bytes.buffer] };
      }
      case 'journal':
        return { value: first(prepared(at, 'PRAGMA journal_mode', {}).get()) };
      case 'close':
        for (const each of [at, ...spare]) each.db.close();
        return { value: undefined };
    }
  };
  let opening: Promise<Connection> | undefined;
  tools.serve(
    port,
    tools,
    (call: SqliteCall) => {
      if (connection) return handle(connection, call);
      opening ??= open().finally(() => (opening = undefined));
      return opening.then((opened) => {
        connection = opened;
        return handle(opened, call);
      });
    },
    init.limits,
  );
}
