import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answer } from '../host/call.ts';
import { createClient, type Client } from '../host/client.ts';
import { offLoopError } from '../host/codec.ts';
import { programOf } from '../host/program.ts';
import { startHost, type HostKind } from '../host/start-host.ts';
import { ownConnections, type OwnConnection } from '../locks/own-connections.ts';
import { createExplainer, isBusy } from './busy.ts';
import type { HostInit, Replay, SqliteCall } from './calls.ts';
import { errorClasses, type Driver } from './driver.ts';
import { main, sqliteTools } from './host-main.ts';
import { siteText, type LeaseQueue } from './leases.ts';
import { kindOf } from './sql.ts';

/** What an engine needs, every option decided. */
export interface EngineOptions {
  path: string;
  /** A database that is opened in memory from these. */
  bytes: Uint8Array | undefined;
  driver: Driver;
  host: HostKind;
  readers: number;
  setup: string | undefined;
  readonly: boolean;
  fileMustExist: boolean;
  timeout: number;
  nativeBinding: string | undefined;
  maxPending: number;
  log: (message: string) => void;
}

/** A message of rows blocks the loop while it is read: at most so much of it. */
const LIMITS = { bytes: 128 * 1024, ms: 20 };
/** How long a thread that has answered waits for the next call before it looks at anything else. */
const PARK_MS = 5;

const isInMemory = (path: string): boolean =>
  path === '' || path === ':memory:' || /^file:.*(?::memory:|mode=memory)/.test(path);

/** The real path of a database, as far as it is there; empty in memory. */
export function fileOf(path: string): string {
  if (isInMemory(path)) return '';
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The connections to one database: one that writes, some that read, all with the same settings. */
export interface Connections {
  /** For messages. */
  readonly what: string;
  readonly writer: Client;
  /** Whether there can be connections that only read: in WAL, and where nothing is private to one connection. */
  hasReaders(): boolean;
  /** The one that has the least to do. */
  reader(): Client;
  send: (client: Client, call: SqliteCall, signal: AbortSignal | undefined, site: object) => Promise<Answer>;
  /** Repeats on all others, those to come too, what a script has set on the writer. */
  repeat(script: string, site: object): Promise<void>;
  repeatOne(what: Replay, site: object): Promise<void>;
  /** Closes them, in order where nothing is pending. */
  close(isIdle: boolean, withinMs: number): Promise<boolean>;
}

/** The connections of one database; none is opened before the first call. */
export function createConnections(options: EngineOptions, queue: LeaseQueue): Connections {
  const { path, driver, host, log } = options;
  const isMemory = isInMemory(path);
  // The working directory may be another when a connection is opened.
  const place = isMemory ? path : resolve(path);
  const what = `the database ${isMemory ? 'in memory' : path}`;
  const replay: Replay[] = [];
  let isWal = false;
  let hasPrivate = false;
  let isLost = false;
  let isClosed = false;
  const explain = createExplainer(place, log);
  const clientOf = (isReader: boolean): Client =>
    createClient({
      what,
      maxPending: Infinity,
      classes: errorClasses(driver),
      canRetire: () => !isMemory && !hasPrivate,
      beforeReject: (error) => (isBusy(error) && !isMemory ? explain() : undefined),
      onHostEnd: () => {
        if (isReader) return;
        if (queue.active) queue.active.isLost = true;
        if (isMemory && !isClosed) isLost = true;
        isWal = false;
        asked = undefined;
      },
      start: (events) => {
        const init: HostInit = {
          driver,
          path: options.bytes ?? place,
          isReader,
          readonly: options.readonly,
          fileMustExist: options.fileMustExist,
          timeout: options.timeout,
          nativeBinding: options.nativeBinding,
          setup: options.setup,
          replay,
          limits: LIMITS,
        };
        return startHost(host, programOf(main, sqliteTools), init, events, `owned-spawn sqlite ${path}`, {
          parkMs: PARK_MS,
          leaveMs: Infinity,
        });
      },
    });
  const writer = clientOf(false);
  const readers: Client[] = [];
  let asked: Promise<void> | undefined;
  const connection: OwnConnection = {
    path: queue.file,
    pid: () => {
      const child = /^process (\d+)/.exec(writer.hostName ?? '')?.[1];
      return child === undefined ? process.pid : Number(child);
    },
    doing: () =>
      queue.active ? `a transaction begun${siteText(queue.active.site)}` : 'a connection of openDatabase()',
  };
  if (!isMemory) ownConnections.add(connection);

  /** Whether readers can be used is known once the writer has opened the file. */
  const askJournal = (): Promise<void> =>
    (asked ??= writer.call(['journal'] satisfies SqliteCall, { isInner: true }).then(
      (answer) => {
        isWal = 'value' in answer && answer.value === 'wal';
      },
      () => {
        asked = undefined;
      },
    ));

  // No async function: each that a call passes through costs some percent of it.
  function send(
    client: Client,
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
  ): Promise<Answer> {
    if (isLost) {
      return Promise.reject(
        offLoopError('ERR_OWNED_SPAWN_HOST_LOST', 'the database in memory was lost with its host'),
      );
    }
    const answer = client.call(call, { signal, site, isInner: true });
    // Not before it is open: behind a lock, that too would wait for as long as the call has.
    if (!asked && !isMemory && options.readers > 0) void answer.then(askJournal, () => undefined);
    return answer;
  }

  async function repeatOne(each: Replay, site: object): Promise<void> {
    replay.push(each);
    await Promise.all(readers.map((reader) => send(reader, ['replay', each], undefined, site)));
  }

  return {
    what,
    writer,
    send,
    hasReaders: () => isWal && !hasPrivate && options.readers > 0,
    reader: () => {
      const idle = readers.find((each) => each.busy() === 0);
      if (idle) return idle;
      if (readers.length < options.readers) {
        const added = clientOf(true);
        readers.push(added);
        return added;
      }
      return readers.reduce((best, each) => (each.busy() < best.busy() ? each : best));
    },
    repeat: async (script, site) => {
      const { isPrivate, replays, touchesJournal } = kindOf(script);
      if (isPrivate) hasPrivate = true;
      for (const sql of replays) await repeatOne({ sql }, site);
      if (!touchesJournal) return;
      asked = undefined;
      await askJournal();
    },
    repeatOne,
    close: async (isIdle, withinMs) => {
      isClosed = true;
      const closed = await Promise.all(
        [...readers, writer].map((client) => {
          if (isIdle && client.hostName !== undefined)
            client.call(['close'] satisfies SqliteCall).catch(() => undefined);
          return client.close(withinMs);
        }),
      );
      ownConnections.delete(connection);
      return closed.every(Boolean);
    },
  };
}
