import { encodeError } from '../host/codec.ts';
import type { Port, Surroundings } from '../host/program.ts';
import { serve, type Reply } from '../host/serve.ts';
import { atomically } from './atomically.ts';
import { backup, type BackupModule } from './backup.ts';
import type { Flags, HostInit, Replay, SqliteCall, StatementCall } from './calls.ts';
import { createCursor, type Cursor } from './cursor.ts';
import { openDriver } from './open-driver.ts';
import type { RawDatabase, RawStatement } from './raw-database.ts';
import { statementCache } from './statement-cache.ts';

/** What the program of a host is made of beside {@link main}, which may use nothing else from here. */
export const sqliteTools = {
  serve,
  encodeError,
  openDriver,
  statementCache,
  createCursor,
  atomically,
  backup,
};

/** The program of a host: one connection, and one more for each iteration of a reader. */
export function main(port: Port, init: HostInit, tools: Surroundings & typeof sqliteTools): void {
  interface Connection {
    db: RawDatabase;
    prepared: (sql: string, flags?: Flags) => RawStatement;
    cursors: Set<Cursor>;
  }
  const isNode = init.driver.name === 'node:sqlite';
  const replay = [...init.replay];
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  const spare: Connection[] = [];

  const load = (db: RawDatabase, what: Replay): void => {
    // blocking-call: ok — the host's own thread or process runs this
    if ('sql' in what) db.exec(what.sql);
    else {
      db.enableLoadExtension?.(true);
      db.loadExtension(what.extension);
    }
  };
  const setUp = async (db: RawDatabase, module: string): Promise<void> => {
    type Setup = (db: RawDatabase) => unknown;
    const exported = (await tools.load(module)).default as Setup | { default?: Setup } | undefined;
    const setup = typeof exported === 'function' ? exported : exported?.default;
    if (typeof setup !== 'function') throw new TypeError(`${module} has no function as its default export`);
    await setup(db);
  };
  const open = async (): Promise<Connection> => {
    const db = tools.openDriver(init, tools.require);
    if (init.setup !== undefined) await setUp(db, init.setup);
    for (const what of replay) load(db, what);
    // blocking-call: ok — the host's own thread or process runs this
    if (init.isReader) db.exec('PRAGMA query_only = 1');
    return { db, prepared: tools.statementCache(db, isNode), cursors: new Set() };
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
      at.prepared(sql, flags).iterate(...params),
      (row) => shaped(flags, row),
      ended,
    ),
    size: 256,
    note: (rows) => (!isNode && rows.some(hasBlob) ? 'blobs' : undefined),
  });
  const runOrAll = (at: Connection, [sql, params, flags]: StatementCall): unknown => {
    const statement = at.prepared(sql, flags);
    const returns = statement.reader ?? (statement.columns?.().length ?? 0) > 0;
    return returns ? statement.all(...params).map((row) => shaped(flags, row)) : statement.run(...params);
  };
  const handle = (at: Connection, call: SqliteCall): Reply | Promise<Reply> => {
    for (const cursor of at.cursors) cursor.drain();
    switch (call[0]) {
      case 'run': {
        const [, sql, params, flags] = call;
        return { value: at.prepared(sql, flags).run(...params) };
      }
      case 'get': {
        const [, sql, params, flags] = call;
        return { value: shaped(flags, at.prepared(sql, flags).get(...params)) };
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
        return { value: at.prepared(sql, flags).columns?.() };
      }
      case 'exec':
        at.db.exec(call[1]);
        return { value: undefined };
      case 'pragma': {
        const { text, simple } = call[1];
        if (at.db.pragma) return { value: at.db.pragma(text, { simple }) };
        const rows = at.prepared(`PRAGMA ${text}`).all();
        return { value: simple ? first(rows[0]) : rows };
      }
      case 'batch':
        return { value: tools.atomically(at.db, () => call[1].map((each) => runOrAll(at, each))) };
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
        return { value: first(at.prepared('PRAGMA journal_mode').get()) };
      case 'close':
        for (const each of [at, ...spare]) each.db.close();
        return { value: undefined };
    }
  };
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
