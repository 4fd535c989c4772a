import { resolve } from 'node:path';
import type { Answer } from '../host/call.ts';
import { iterate as iterateAnswer } from '../host/iterate.ts';
import type { BackupOptions, BackupProgress } from './backup-options.ts';
import { createConnections, fileOf, type EngineOptions } from './connections.ts';
import type { SqliteCall, StatementCall } from './calls.ts';
import { currentLease, type LeaseQueue } from './leases.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import {
  paramsOf,
  type Bound,
  type BoundStatement,
  type RunResult,
  type StatementHost,
} from './statement.ts';
import { withBuffers } from './values.ts';

/** A database off the loop: one connection that writes, some that read, and who may use them when. */
export interface Engine extends StatementHost, Pick<Scheduler, 'transaction' | 'close' | 'isClosed'> {
  exec(sql: string, signal: AbortSignal | undefined, site: object): Promise<void>;
  pragma(text: string, simple: boolean, site: object): Promise<unknown>;
  batch(statements: readonly BoundStatement[], site: object): Promise<unknown[]>;
  backup(path: string, options: Required<BackupOptions>, site: object): Promise<BackupProgress>;
  serialize(attached: string, site: object): Promise<Buffer>;
  loadExtension(path: string, site: object): Promise<void>;
  isInTransaction(): boolean;
}

/** The database behind a handle; nothing is opened before the first call. */
export function createEngine(options: EngineOptions): Engine {
  const queue: LeaseQueue = { file: fileOf(options.path), tail: undefined, active: undefined, waiting: 0 };
  const connections = createConnections(options, queue);
  const { read, write, execute, aside, transaction, close, isClosed } = createScheduler(
    options,
    queue,
    connections,
  );
  const valueOf = (answer: Answer): unknown => ('value' in answer ? answer.value : undefined);
  const revived = (row: unknown): unknown =>
    options.driver.name === 'better-sqlite3' ? withBuffers(row) : row;
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
      const answer = await aside(call, undefined, site);
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
    isClosed,
    close,
  };
}

const noRows = (): AsyncIterableIterator<unknown> =>
  iterateAnswer({
    first: { rows: [], done: true },
    pull: () => Promise.reject(new Error('there are no rows')),
    stop: () => undefined,
  });
