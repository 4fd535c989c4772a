import { failCall, type Call } from './call.ts';
import { offLoopError } from './codec.ts';
import type { Host, HostEvents } from './host.ts';
import { createLane, type Lane } from './lane.ts';
import type { FromHost, ToHost } from './serve.ts';

/** How hosts are started and given up. */
export interface LanesOptions {
  /** For messages: `the database /a/b.db`. */
  what: string;
  start: (events: HostEvents) => Host;
  /** Whether a host that is stuck in a call nobody wants any more may be given up; it takes what it keeps in memory with it. */
  canRetire?: () => boolean;
  /** The host is gone, by itself or given up: the next call starts another. */
  onHostEnd?: () => void;
}

/** The hosts of a client: the one that takes calls, and those that were given up and may still be at work. */
export interface Lanes {
  /** The host that takes calls now; undefined before the first call and after the end of one. */
  readonly current: Lane<Call> | undefined;
  /** The lane that takes calls, its host started where there is none. */
  open(): Lane<Call>;
  /** Numbers a call and sends it; one that cannot be copied is rejected. */
  send(to: Lane<Call>, call: Call): void;
  /** Asks for the next part of a call's answer. */
  pull(call: Call): void;
  /** Nobody waits for a call any more. A host that is free lets go of it; one that is stuck in it is given up. */
  drop(call: Call): void;
  /** Rejects what is pending, and ends the host. */
  close(error: () => Error): void;
}

/** How long a host has to let go of a call that was aborted before it counts as stuck in it, in milliseconds. */
const STUCK_MS = 50;
/** Threads that are stuck in what nobody wants any more: each costs memory, and a processor. */
const MAX_RETIRED = 4;

let lastId = 0;

/**
 * Sends each call to a host that can take it. Where a host is lost or stuck, what it has not begun goes to the next one.
 * @param answer told of each answer, or part of one
 * @param ended told of each call that its host has no more to do with
 */
export function createLanes(
  { what, start, canRetire = () => true, onHostEnd }: LanesOptions,
  answer: (call: Call, value: unknown, other: FromHost[2]) => void,
  ended: (call: Call) => void,
): Lanes {
  let current: Lane<Call> | undefined;
  let retired = 0;

  function open(): Lane<Call> {
    if (current) return current;
    const events: HostEvents = {
      message: (message: FromHost) => {
        take(lane, message);
      },
      end: (reason) => {
        end(lane, reason);
      },
    };
    const lane = createLane<Call>(start(events));
    current = lane;
    return lane;
  }

  function take(lane: Lane<Call>, [id, value, other]: FromHost): void {
    const call = lane.calls.get(id);
    if (!call) return;
    // The answers of a useless host are all the same, and the next ones may not come through before its end.
    const isUseless = other !== undefined && 'error' in other && other.isUseless === true;
    for (const each of isUseless ? [...lane.calls.values()] : [call]) {
      if (!other || !('rows' in other) || other.done) forget(lane, each);
      answer(each, value, other);
    }
    if (isUseless && !lane.isRetired) retire(lane);
  }

  function forget(lane: Lane<Call>, call: Call): void {
    if (!lane.calls.delete(call.id)) return;
    if (!call.isDropped) lane.unwant();
    ended(call);
  }

  function leave(lane: Lane<Call>): void {
    if (current !== lane) return;
    current = undefined;
    onHostEnd?.();
  }

  /** Whatever could not have begun goes to another host; the rest is lost. */
  function end(lane: Lane<Call>, reason: string): void {
    leave(lane);
    if (lane.isRetired) retired--;
    const begun = lane.isRetired ? lane.host.begun() : Infinity;
    for (const call of [...lane.calls.values()]) {
      if (call.id > begun && !call.isDropped) move(lane, call);
      else {
        forget(lane, call);
        failCall(
          call,
          offLoopError(
            'ERR_OWNED_SPAWN_HOST_LOST',
            `${lane.host.name} of ${what} is gone${reason && `: ${reason}`}; what it was asked for may have been done or not`,
          ),
        );
      }
    }
  }

  function move(from: Lane<Call>, call: Call): void {
    from.calls.delete(call.id);
    from.wanted--;
    send(open(), call);
  }

  function send(to: Lane<Call>, call: Call): void {
    call.id = ++lastId;
    call.lane = to;
    to.calls.set(call.id, call);
    to.want();
    try {
      to.host.post([call.id, call.message] satisfies ToHost, call.options.transfer);
    } catch (error) {
      forget(to, call);
      failCall(call, error as Error);
    }
  }

  const laneOf = (call: Call): Lane<Call> | undefined =>
    call.lane.calls.has(call.id) ? call.lane : undefined;

  function drop(call: Call): void {
    const lane = laneOf(call);
    if (!lane || call.isDropped) return;
    call.isDropped = true;
    lane.host.post([call.id, undefined, 'stop'] satisfies ToHost);
    lane.unwant();
    const look = (): void => {
      const now = laneOf(call);
      if (!now || now.isRetired) return;
      if (now.host.begun() === call.id && !call.stream && canRetire() && retired < MAX_RETIRED) retire(now);
      else setTimeout(look, STUCK_MS).unref();
    };
    setTimeout(look, STUCK_MS).unref();
  }

  function retire(lane: Lane<Call>): void {
    lane.isRetired = true;
    retired++;
    if (!lane.host.retire()) {
      // What has not begun, and what is called meanwhile, moves when it is dead, in order.
      lane.host.kill();
      return;
    }
    leave(lane);
    const begun = lane.host.begun();
    for (const call of [...lane.calls.values()]) if (call.id > begun) move(lane, call);
    if (lane.wanted === 0) lane.host.kill();
  }

  return {
    get current() {
      return current;
    },
    open,
    send,
    pull: (call) => laneOf(call)?.host.post([call.id, undefined, 'pull'] satisfies ToHost),
    drop,
    close: (error) => {
      const lane = current;
      if (!lane) return;
      current = undefined;
      for (const call of [...lane.calls.values()]) {
        forget(lane, call);
        failCall(call, error());
      }
      lane.host.hold(false);
      lane.host.kill();
    },
  };
}
