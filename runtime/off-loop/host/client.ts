import { createAdmission } from './admission.ts';
import { failCall, ignoreAbort, type Answer, type Call, type CallOptions } from './call.ts';
import { decodeError, offLoopError, type ErrorData } from './codec.ts';
import { createLanes, type LanesOptions } from './lanes.ts';
import type { FromHost, Rows } from './serve.ts';
import { createStream } from './stream.ts';

/** What makes a host a client. */
export interface ClientOptions extends LanesOptions {
  /** Calls that may wait for an answer; more are refused. */
  maxPending: number;
  /** Classes of errors beyond the built-in ones. */
  classes?: Parameters<typeof decodeError>[2];
  /** Done before a call rejects with what the host threw. */
  beforeReject?: (error: unknown) => Promise<void> | undefined;
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

/** A host's other half: matches answers to calls, and starts a new host after one was lost. */
export function createClient(options: ClientOptions): Client {
  const { what, maxPending, classes, beforeReject } = options;
  const admission = createAdmission(what, maxPending);
  const lanes = createLanes(options, settle, (call) => {
    if (!call.options.isInner) admission.leave();
  });

  function settle(call: Call, value: unknown, other: FromHost[2]): void {
    if (!other) {
      ignoreAbort(call);
      call.resolve({ value });
    } else if ('error' in other) {
      // What was thrown need not be an error, and is passed on as it was.
      const error = decodeError(other.error as ErrorData, call.options.site, classes) as Error;
      const fail = (reason: Error): void => {
        failCall(call, reason);
      };
      const before = beforeReject?.(error);
      if (before)
        before.then(() => {
          fail(error);
        }, fail);
      else fail(error);
    } else {
      if (other.done) ignoreAbort(call);
      if (call.stream) call.stream.next(other);
      else call.resolve(streaming(call, other));
    }
  }

  function streaming(call: Call, first: Rows): Answer {
    call.stream = createStream(() => {
      lanes.pull(call);
    });
    const stop = (): void => {
      ignoreAbort(call);
      lanes.drop(call);
    };
    return { first, pull: call.stream.pull, stop };
  }

  function call(message: unknown, given: CallOptions = {}): Promise<Answer> {
    const { signal, isInner = false } = given;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      const refused = admission.refusal(isInner);
      if (refused) throw refused;
      const lane = lanes.open();
      const each: Call = {
        id: 0,
        message,
        options: given,
        lane,
        isDropped: false,
        stream: undefined,
        onAbort: undefined,
        resolve,
        reject,
      };
      if (signal) {
        each.onAbort = () => {
          failCall(each, signal.reason as Error);
          lanes.drop(each);
        };
        signal.addEventListener('abort', each.onAbort);
      }
      if (!isInner) admission.enter();
      lanes.send(lane, each);
    });
  }

  return {
    call,
    close: async (withinMs) => {
      const isDone = await admission.close(withinMs);
      lanes.close(() => offLoopError('ERR_OWNED_SPAWN_CLOSED', `${what} was closed while this was pending`));
      return isDone;
    },
    get pending() {
      return admission.pending;
    },
    busy: () => lanes.current?.calls.size ?? 0,
    get hostName() {
      return lanes.current?.host.name;
    },
  };
}
