import { resolve } from 'node:path';
import type { Answer } from '../host/client.ts';
import { offLoopError } from '../host/codec.ts';
import { iterate as iterateAnswer } from '../host/iterate.ts';
import { LONGEST_MS } from '../longest-ms.ts';
import { createConnections, fileOf, type EngineOptions } from './connections.ts';
import type { SqliteCall, StatementCall } from './host-main.ts';
import {
  checkDeadlock,
  currentLease,
  enter,
  inside,
  lease as askLease,
  passed,
  placeOf,
  type Lease,
  type LeaseQueue,
} from './leases.ts';
import { kindOf } from './sql.ts';
import {
  paramsOf,
  type Bound,
  type BoundStatement,
  type RunResult,
  type StatementHost,
} from './statement.ts';
import { withBuffers } from './values.ts';

export type BeginMode = 'DEFERRED' | 'IMMEDIATE' | 'EXCLUSIVE';

/** A database off the loop: one connection that writes, some that read, and who may use them when. */
export interface Engine extends StatementHost {
  exec(sql: string, signal: AbortSignal | undefined, site: object): Promise<void>;
  pragma(text: string, simple: boolean, site: object): Promise<unknown>;
  batch(statements: readonly BoundStatement[], site: object): Promise<unknown[]>;
  transaction<T>(mode: BeginMode, work: () => Promise<T> | T, site: { stack?: string }): Promise<T>;
  backup(path: string, options: Required<BackupOptions>, site: object): Promise<BackupProgress>;
  serialize(attached: string, site: object): Promise<Buffer>;
  loadExtension(path: string, site: object): Promise<void>;
  close(withinMs: number): Promise<boolean>;
  isInTransaction(): boolean;
  isClosed(): boolean;
}

export interface BackupProgress {
  totalPages: number;
  remainingPages: number;
}

export interface BackupOptions {
  /** Which database, where others are attached; `main` by default. */
  attached?: string;
  /** Pages a step; between two steps others may write. 100 by default. */
  pages?: number;
  /** Told after each step. Where it throws, the backup ends and rejects with that. */
  progress?: (info: BackupProgress) => unknown;
}

/** From when on a transaction that keeps others waiting is named, in milliseconds. */
const LONG_TRANSACTION_MS = 5000;

/** The database behind a handle; nothing is opened before the first call. */
export function createEngine(options: EngineOptions): Engine {
  const { path, driver, maxPending, log } = options;
  const queue: LeaseQueue = { file: fileOf(path), tail: undefined, active: undefined, waiting: 0 };
  const connections = createConnections(options, queue);
  const { send, writer, what } = connections;
  let isClosed = false;
  let pending = 0;
  let onIdle: (() => void) | undefined;
  // Writes outside of transactions that the host has not answered: a read that comes later must see them. Those that wait for
  // a transaction of others are not counted: a read in WAL waits for nobody.
  let writes = 0;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const refusal = (): Error | undefined => {
    if (isClosed) return offLoopError('ERR_OWNED_SPAWN_CLOSED', `${what} is closed`);
    if (pending < maxPending) return undefined;
    return offLoopError(
      'ERR_OWNED_SPAWN_OVERLOAD',
      `${pending} calls wait for ${what} already (maxPending): wait for them, or let fewer in`,
    );
  };
  const leave = (): void => {
    if (--pending === 0) onIdle?.();
  };

  /** Counts what came in, and refuses what would be too much. */
  function admitted<T>(work: () => Promise<T>): Promise<T> {
    const refused = refusal();
    if (refused) return Promise.reject(refused);
    pending++;
    const result = work();
    void result.then(leave, leave);
    return result;
  }

  /** In a transaction: on its connection, unless that is gone. */
  async function withinLease(
    own: Lease,
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
  ): Promise<Answer> {
    if (!own.isActive) await own.ready;
    while (own.inner.tail) await passed(own.inner, queue);
    if (own.isLost) {
      throw offLoopError(
        'ERR_OWNED_SPAWN_HOST_LOST',
        `the transaction${placeOf(own.site)} is gone with its connection`,
      );
    }
    return send(writer, call, signal, site);
  }

  /** Outside of transactions: when those that were asked for before are over. */
  function onWriter(
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
    isWrite = false,
  ): Promise<Answer> {
    return admitted(async () => {
      if (queue.tail) {
        checkDeadlock(queue);
        queue.waiting++;
        await passed(queue, queue).finally(() => queue.waiting--);
      }
      if (!isWrite) return send(writer, call, signal, site);
      writes++;
      const answer = send(writer, call, signal, site).finally(() => writes--);
      lastWrite = answer.catch(() => undefined);
      return answer;
    });
  }

  async function write(call: SqliteCall, signal: AbortSignal | undefined, site: object): Promise<Answer> {
    const own = currentLease(queue);
    if (own) return withinLease(own, call, signal, site);
    checkDeadlock(queue);
    return onWriter(call, signal, site, true);
  }

  function read(
    sql: string,
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
  ): Promise<Answer> {
    if (currentLease(queue) || !kindOf(sql).reads) return write(call, signal, site);
    if (!connections.hasReaders()) return onWriter(call, signal, site);
    const ask = (): Promise<Answer> => send(connections.reader(), call, signal, site);
    return admitted(() => (writes === 0 ? ask() : lastWrite.then(ask)));
  }

  /** BEGIN by hand: the transaction belongs to the async context that began it. */
  function beginByHand(call: SqliteCall, site: object): Promise<Answer> {
    const own = askLease(queue, undefined, site);
    own.isByHand = true;
    enter(own);
    return admitted(async () => {
      await own.ready;
      own.isActive = true;
      watch(own);
      return send(writer, call, undefined, site);
    }).catch((error: unknown) => {
      own.end();
      throw error;
    });
  }

  /** A statement of a script or a handle, which may begin or end a transaction. */
  async function execute(
    sql: string,
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
  ): Promise<Answer> {
    const own = currentLease(queue);
    // One whose BEGIN has no answer yet belongs to a caller beside us, which was started in the same breath.
    const isBeside = own?.isByHand === true && !own.isActive;
    if ((!own || isBeside) && kindOf(sql).begins) return beginByHand(call, site);
    const isLast = own?.isByHand === true && kindOf(sql).ends;
    try {
      const answer = await write(call, signal, site);
      if (isLast) own.end();
      await connections.repeat(sql, site);
      return answer;
    } catch (error) {
      // A failed COMMIT can be tried again; after a failed ROLLBACK nothing is left.
      if (isLast && !/^\s*(?:commit|end)/i.test(sql)) own.end();
      throw error;
    }
  }

  function watch(own: Lease): void {
    const timer = setTimeout(() => {
      if (own.isOver || queue.waiting === 0) return;
      log(
        `a transaction on ${path} has kept ${queue.waiting} calls waiting for ${LONG_TRANSACTION_MS} ms; it was begun${placeOf(own.site)}`,
      );
    }, LONG_TRANSACTION_MS);
    timer.unref();
    own.onEnd = () => {
      clearTimeout(timer);
    };
  }

  async function transaction<T>(
    mode: BeginMode,
    work: () => Promise<T> | T,
    site: { stack?: string },
  ): Promise<T> {
    const parent = currentLease(queue);
    const [begin, commit, undo] = parent
      ? ['SAVEPOINT owned_spawn', 'RELEASE owned_spawn', 'ROLLBACK TO owned_spawn; RELEASE owned_spawn']
      : [`BEGIN ${mode}`, 'COMMIT', 'ROLLBACK'];
    const run = async (): Promise<T> => {
      const own = askLease(queue, parent, site);
      const exec = (sql: string): Promise<Answer> => {
        if (own.isLost || parent?.isLost) {
          throw offLoopError(
            'ERR_OWNED_SPAWN_HOST_LOST',
            `the transaction${placeOf(site)} is gone with its connection`,
          );
        }
        return send(writer, ['exec', sql], undefined, site);
      };
      try {
        queue.waiting++;
        await own.ready.finally(() => queue.waiting--);
        own.isActive = true;
        if (parent && !parent.isActive) await parent.ready;
        if (!parent) watch(own);
        await exec(begin);
        try {
          const value = await inside(own, async () => work());
          while (own.inner.tail) await own.inner.tail;
          await exec(commit);
          return value;
        } catch (error) {
          // Some errors have rolled back already, and a lost connection has too: https://www.sqlite.org/lang_transaction.html
          await exec(undo).catch(() => undefined);
          throw error;
        }
      } finally {
        own.end();
      }
    };
    return parent ? run() : admitted(run);
  }

  const valueOf = (answer: Answer): unknown => ('value' in answer ? answer.value : undefined);
  const revived = (row: unknown): unknown => (driver.name === 'better-sqlite3' ? withBuffers(row) : row);
  const calling = (
    op: 'run' | 'get' | 'all' | 'iterate' | 'columns',
    statement: Bound,
    args: unknown[],
  ): SqliteCall => [op, statement.sql, paramsOf(statement, args), statement.flags];
  const partOf = ({ rows, note }: { rows: unknown[]; note?: unknown }): unknown[] =>
    note === 'blobs' ? rows.map(withBuffers) : rows;

  return {
    run: async (statement, args, site) => {
      const call = calling('run', statement, args);
      return valueOf(await execute(statement.sql, call, statement.signal, site)) as RunResult;
    },
    get: async (statement, args, site) =>
      revived(valueOf(await read(statement.sql, calling('get', statement, args), statement.signal, site))),
    all: async (statement, args, site) => {
      const answer = await read(statement.sql, calling('all', statement, args), statement.signal, site);
      if (!('first' in answer)) return [];
      const rows = partOf(answer.first);
      for (let isDone = answer.first.done; !isDone;) {
        const part = await answer.pull();
        for (const row of partOf(part)) rows.push(row);
        isDone = part.done;
      }
      return rows;
    },
    iterate: (statement, args, site) => {
      const call = calling('iterate', statement, args);
      let rows: Promise<AsyncIterableIterator<unknown>> | undefined;
      const begin = (): Promise<AsyncIterableIterator<unknown>> =>
        (rows ??= read(statement.sql, call, statement.signal, site).then((answer) =>
          'first' in answer ? iterateAnswer(answer, partOf) : noRows(),
        ));
      return {
        next: async () => (await begin()).next(),
        return: async (value?: unknown) => {
          if (rows) await (await rows).return?.();
          rows ??= Promise.resolve(noRows());
          return { done: true, value };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    columns: async (statement, site) =>
      valueOf(await write(calling('columns', statement, []), statement.signal, site)) as unknown[],
    exec: async (sql, signal, site) => {
      await execute(sql, ['exec', sql], signal, site);
    },
    pragma: async (text, simple, site) =>
      valueOf(await execute(`PRAGMA ${text}`, ['pragma', { text, simple }], undefined, site)),
    batch: async (statements, site) => {
      const calls = statements.map(({ source, params, flags }): StatementCall => [source, params, flags]);
      const results = valueOf(await write(['batch', calls], undefined, site)) as unknown[];
      return results.map((result) => (Array.isArray(result) ? result.map(revived) : result));
    },
    transaction,
    backup: async (destination, { attached, pages, progress }, site) => {
      const call: SqliteCall = ['backup', { path: resolve(destination), attached, pages }];
      const answer = await (connections.hasReaders()
        ? admitted(() => send(connections.reader(), call, undefined, site))
        : onWriter(call, undefined, site));
      let total: BackupProgress = { totalPages: 0, remainingPages: 0 };
      if (!('first' in answer)) return total;
      for await (const info of iterateAnswer<BackupProgress | { result: BackupProgress }>(answer)) {
        if ('result' in info) total = info.result;
        else progress(info);
      }
      return total;
    },
    serialize: async (attached, site) => {
      const bytes = valueOf(await write(['serialize', { attached }], undefined, site)) as Uint8Array;
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    loadExtension: async (extension, site) => {
      await write(['replay', { extension }], undefined, site);
      await connections.repeatOne({ extension }, site);
    },
    isInTransaction: () => currentLease(queue) !== undefined,
    isClosed: () => isClosed,
    close: async (withinMs) => {
      if (isClosed) return true;
      isClosed = true;
      const end = performance.now() + withinMs;
      if (pending > 0) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, Math.min(withinMs, LONGEST_MS));
          onIdle = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
      const isDone = pending === 0;
      const isClean = await connections.close(isDone, Math.max(0, end - performance.now()));
      return isDone && isClean;
    },
  };
}

const noRows = (): AsyncIterableIterator<unknown> =>
  iterateAnswer({
    first: { rows: [], done: true },
    pull: () => Promise.reject(new Error('there are no rows')),
    stop: () => undefined,
  });
