import { createAdmission } from '../host/admission.ts';
import type { Answer } from '../host/call.ts';
import type { Connections } from './connections.ts';
import type { SqliteCall } from './calls.ts';
import {
  checkDeadlock,
  currentLease,
  enter,
  inside,
  lease as askLease,
  lostError,
  passed,
  siteText,
  type Lease,
  type LeaseQueue,
} from './leases.ts';
import { kindOf } from './sql.ts';

export type BeginMode = 'DEFERRED' | 'IMMEDIATE' | 'EXCLUSIVE';

type Ask = (call: SqliteCall, signal: AbortSignal | undefined, site: object) => Promise<Answer>;
type AskOf = (sql: string, ...rest: Parameters<Ask>) => Promise<Answer>;

/** Sends calls to the connection that may do them, when it may. */
export interface Scheduler {
  /** On a connection that reads, where the statement does no more. */
  read: AskOf;
  write: Ask;
  /** A statement of a script or a handle, which may begin or end a transaction. */
  execute: AskOf;
  /** What changes nothing and is part of no transaction. */
  aside: Ask;
  transaction: <T>(mode: BeginMode, work: () => Promise<T> | T, site: { stack?: string }) => Promise<T>;
  /** False where it took longer than `withinMs`, in milliseconds. */
  close: (withinMs: number) => Promise<boolean>;
  isClosed: () => boolean;
}

/** From when on a transaction that keeps others waiting is named, in milliseconds. */
const LONG_TRANSACTION_MS = 5000;

/** A transaction inside of another is a savepoint. */
const statementsAround = (mode: BeginMode, parent: Lease | undefined) =>
  parent
    ? {
        begin: 'SAVEPOINT owned_spawn',
        commit: 'RELEASE owned_spawn',
        undo: 'ROLLBACK TO owned_spawn; RELEASE owned_spawn',
      }
    : { begin: `BEGIN ${mode}`, commit: 'COMMIT', undo: 'ROLLBACK' };

/** The order of the calls of one database: transactions lease the writer, reads see what was written before them. */
export function createScheduler(
  { path, maxPending, log }: { path: string; maxPending: number; log: (message: string) => void },
  queue: LeaseQueue,
  connections: Connections,
): Scheduler {
  const { send, writer, what } = connections;
  const admission = createAdmission(what, maxPending);
  // Writes outside of transactions that the host has not answered: a read that comes later must see them. Those that wait for
  // a transaction of others are not counted: a read in WAL waits for nobody.
  let writes = 0;
  let lastWrite: Promise<unknown> = Promise.resolve();

  /** In a transaction: on its connection, unless that is gone. */
  async function withinLease(
    own: Lease,
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
  ): Promise<Answer> {
    if (!own.isActive) await own.ready;
    while (own.inner.tail) await passed(own.inner, queue);
    if (own.isLost) throw lostError(own);
    return send(writer, call, signal, site);
  }

  /** Outside of transactions: when those that were asked for before are over. */
  function onWriter(
    call: SqliteCall,
    signal: AbortSignal | undefined,
    site: object,
    isWrite = false,
  ): Promise<Answer> {
    return admission.admit(async () => {
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
    return admission.admit(() => (writes === 0 ? ask() : lastWrite.then(ask)));
  }

  /** BEGIN by hand: the transaction belongs to the async context that began it. */
  function beginByHand(call: SqliteCall, site: object): Promise<Answer> {
    const own = askLease(queue, undefined, site);
    own.isByHand = true;
    enter(own);
    return admission
      .admit(async () => {
        await own.ready;
        own.isActive = true;
        watch(own);
        return send(writer, call, undefined, site);
      })
      .catch((error: unknown) => {
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

  /** Names a transaction that keeps others waiting for long. */
  function watch(own: Lease): void {
    const timer = setTimeout(() => {
      if (own.isOver || queue.waiting === 0) return;
      log(
        `a transaction on ${path} has kept ${queue.waiting} calls waiting for ${LONG_TRANSACTION_MS} ms; it was begun${siteText(own.site)}`,
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
    const run = async (): Promise<T> => {
      const own = askLease(queue, parent, site);
      try {
        queue.waiting++;
        await own.ready.finally(() => queue.waiting--);
        own.isActive = true;
        if (parent && !parent.isActive) await parent.ready;
        if (!parent) watch(own);
        return await between(own, parent, statementsAround(mode, parent), work);
      } finally {
        own.end();
      }
    };
    return parent ? run() : admission.admit(run);
  }

  /** Begins, works and commits; undoes all of it where something throws. */
  async function between<T>(
    own: Lease,
    parent: Lease | undefined,
    { begin, commit, undo }: ReturnType<typeof statementsAround>,
    work: () => Promise<T> | T,
  ): Promise<T> {
    const exec = async (sql: string): Promise<Answer> => {
      if (own.isLost || parent?.isLost) throw lostError(own);
      return send(writer, ['exec', sql], undefined, own.site);
    };
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
  }

  return {
    read,
    write,
    execute,
    aside: (call, signal, site) =>
      connections.hasReaders()
        ? admission.admit(() => send(connections.reader(), call, signal, site))
        : onWriter(call, signal, site),
    transaction,
    isClosed: () => admission.isClosed,
    close: async (withinMs) => {
      if (admission.isClosed) return true;
      const end = performance.now() + withinMs;
      const isDone = await admission.close(withinMs);
      const isClean = await connections.close(isDone, Math.max(0, end - performance.now()));
      return isDone && isClean;
    },
  };
}
