import { createAdmission } from './admission.ts';
import { decodeError, offLoopError, type ErrorData } from './codec.ts';
import type { Host, HostEvents } from './host.ts';
import { createLane, type Lane } from './lane.ts';
import type { FromHost, Rows, ToHost } from './serve.ts';
import { createStream, type Stream } from './stream.ts';

/** What makes a host a client. */
export interface ClientOptions {
  /** For messages: `the database /a/b.db`. */
  what: string;
  start(events: HostEvents): Host;
  /** Calls that may wait for an answer; more are refused. */
  maxPending: number;
  /** Classes of errors beyond the built-in ones. */
  classes?: Parameters<typeof decodeError>[2];
  /** Whether a host that is stuck in a call nobody wants any more may be given up; it takes what it keeps in memory with it. */
  canRetire?: () => boolean;
  /** Done before a call rejects with what the host threw. */
  beforeReject?: (error: unknown) => Promise<void> | undefined;
  /** The host is gone, by itself or given up: the next call starts another. */
  onHostEnd?: () => void;
}

/** How a call is made. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  transfer?: readonly unknown[] | undefined;
  /** An error captured where the caller called: its stack goes into the error's. */
  site?: { stack?: string } | undefined;
  /** Counts neither for `maxPending` nor is refused by it: part of what was let in before. */
  isInner?: boolean | undefined;
}

interface Call {
  id: number;
  message: unknown;
  options: CallOptions;
  /** Where it was sent last. */
  lane: Lane<Call>;
  /** Nobody waits any more; the host may still be at it. */
  isDropped: boolean;
  /** From the first rows on. */
  stream: Stream | undefined;
  onAbort: (() => void) | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** Calls to a host that is started when it is needed. */
export interface Client {
  /** One answer; where the host gives rows, the first part of them, and how to go on. */
  call: (message: unknown, options?: CallOptions) => Promise<Answer>;
  /** Waits for what is pending, then ends the host. False where that took longer than `withinMs`: the rest was rejected. */
  close: (withinMs: number) => Promise<boolean>;
  readonly pending: number;
  /** Calls that the host has not answered, those of which maxPending says nothing too. */
  busy(): number;
  readonly hostName: string | undefined;
}

export type Answer =
  | { value: unknown }
  | {
      first: Rows;
      /** The next part. */
      pull: () => Promise<Rows>;
      /** No more parts are wanted. */
      stop: () => void;
    };

/** How long a host has to let go of a call that was aborted before it counts as stuck in it, in milliseconds. */
const STUCK_MS = 50;
/** Threads that are stuck in what nobody wants any more: each costs memory, and a processor. */
const MAX_RETIRED = 4;

let lastId = 0;

/** A host's other half: numbers calls, matches answers, starts a new host after one was lost. */
export function createClient(options: ClientOptions): Client {
  const { what, maxPending, classes, canRetire = () => true, beforeReject } = options;
  let current: Lane<Call> | undefined;
  let retired = 0;
  const admission = createAdmission(what, maxPending);

  function lane(): Lane<Call> {
    if (current) return current;
    const events: HostEvents = {
      message: ([id, value, other]: FromHost) => {
        const call = started.calls.get(id);
        if (!call) return;
        // The answers of a useless host are all the same, and the next ones may not come through before its end.
        const isUseless = other !== undefined && 'error' in other && other.isUseless === true;
        for (const each of isUseless ? [...started.calls.values()] : [call]) {
          if (!other || !('rows' in other) || other.done) forget(started, each);
          settle(each, value, other);
        }
        if (isUseless && !started.isRetired) retire(started);
      },
      end: (reason) => {
        end(started, reason);
      },
    };
    const started = createLane<Call>(options.start(events));
    current = started;
    return started;
  }

  function forget(at: Lane<Call>, call: Call): void {
    if (!at.calls.delete(call.id)) return;
    if (!call.isDropped) at.unwant();
    if (!call.options.isInner) admission.leave();
  }

  /** Whatever could not have begun goes to another host; the rest is lost. */
  function end(from: Lane<Call>, reason: string): void {
    if (current === from) {
      current = undefined;
      options.onHostEnd?.();
    }
    if (from.isRetired) retired--;
    const begun = from.isRetired ? from.host.begun() : Infinity;
    for (const call of [...from.calls.values()]) {
      if (call.id > begun && !call.isDropped) move(from, call);
      else {
        forget(from, call);
        fail(
          call,
          offLoopError(
            'ERR_OWNED_SPAWN_HOST_LOST',
            `${from.host.name} of ${what} is gone${reason && `: ${reason}`}; what it was asked for may have been done or not`,
          ),
        );
      }
    }
  }

  function move(from: Lane<Call>, call: Call): void {
    from.calls.delete(call.id);
    from.wanted--;
    // Numbers grow in the order in which a host begins.
    call.id = ++lastId;
    send(lane(), call);
  }

  function send(to: Lane<Call>, call: Call): void {
    call.lane = to;
    to.calls.set(call.id, call);
    to.want();
    try {
      to.host.post([call.id, call.message] satisfies ToHost, call.options.transfer);
    } catch (error) {
      forget(to, call);
      fail(call, error as Error);
    }
  }

  const laneOf = (call: Call): Lane<Call> | undefined =>
    call.lane.calls.has(call.id) ? call.lane : undefined;

  /** Nobody waits for a call any more. A host that is free lets go of it; one that is stuck in it is given up. */
  function drop(call: Call): void {
    const where = laneOf(call);
    if (!where || call.isDropped) return;
    call.isDropped = true;
    where.host.post([call.id, undefined, 'stop'] satisfies ToHost);
    where.unwant();
    const look = (): void => {
      const now = laneOf(call);
      if (!now || now.isRetired) return;
      if (now.host.begun() === call.id && !call.stream && canRetire() && retired < MAX_RETIRED) retire(now);
      else setTimeout(look, STUCK_MS).unref();
    };
    setTimeout(look, STUCK_MS).unref();
  }

  function retire(given: Lane<Call>): void {
    given.isRetired = true;
    retired++;
    if (!given.host.retire()) {
      // What has not begun, and what is called meanwhile, moves when it is dead, in order.
      given.host.kill();
      return;
    }
    if (current === given) {
      current = undefined;
      options.onHostEnd?.();
    }
    const begun = given.host.begun();
    for (const call of [...given.calls.values()]) if (call.id > begun) move(given, call);
    if (given.wanted === 0) given.host.kill();
  }

  function listenNoMore({ onAbort, options: { signal } }: Call): void {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }

  function fail(call: Call, error: Error): void {
    listenNoMore(call);
    call.reject(error);
    call.stream?.fail(error);
  }

  function settle(call: Call, value: unknown, other: FromHost[2]): void {
    if (!other) {
      listenNoMore(call);
      call.resolve({ value });
    } else if ('error' in other) {
      // What was thrown need not be an error, and is passed on as it was.
      const error = decodeError(other.error as ErrorData, call.options.site, classes) as Error;
      const failNow = (reason: Error): void => {
        fail(call, reason);
      };
      const before = beforeReject?.(error);
      if (before)
        before.then(() => {
          failNow(error);
        }, failNow);
      else failNow(error);
    } else {
      if (other.done) listenNoMore(call);
      if (call.stream) call.stream.next(other);
      else call.resolve(streaming(call, other));
    }
  }

  function streaming(call: Call, first: Rows): Answer {
    call.stream = createStream(() => {
      laneOf(call)?.host.post([call.id, undefined, 'pull'] satisfies ToHost);
    });
    const stop = (): void => {
      listenNoMore(call);
      drop(call);
    };
    return { first, pull: call.stream.pull, stop };
  }

  function call(message: unknown, given: CallOptions = {}): Promise<Answer> {
    const { signal, isInner = false } = given;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      const refused = admission.refusal(isInner);
      if (refused) throw refused;
      const at = lane();
      const each: Call = {
        id: ++lastId,
        message,
        options: given,
        lane: at,
        isDropped: false,
        stream: undefined,
        onAbort: undefined,
        resolve,
        reject,
      };
      if (signal) {
        each.onAbort = () => {
          fail(each, signal.reason as Error);
          drop(each);
        };
        signal.addEventListener('abort', each.onAbort);
      }
      if (!isInner) admission.enter();
      send(at, each);
    });
  }

  return {
    call,
    close: async (withinMs) => {
      const isDone = await admission.close(withinMs);
      const at = current;
      if (at) {
        current = undefined;
        for (const each of [...at.calls.values()]) {
          forget(at, each);
          fail(each, offLoopError('ERR_OWNED_SPAWN_CLOSED', `${what} was closed while this was pending`));
        }
        at.host.hold(false);
        at.host.kill();
      }
      return isDone;
    },
    get pending() {
      return admission.pending;
    },
    busy: () => current?.calls.size ?? 0,
    get hostName() {
      return current?.host.name;
    },
  };
}
