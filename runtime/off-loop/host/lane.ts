import type { Host } from './host.ts';

/** A host with the calls that were sent to it. */
export interface Lane<Call> {
  host: Host;
  calls: Map<number, Call>;
  /** The host has been given up. */
  isRetired: boolean;
  /** Calls that somebody waits for: as long as there are some, the host keeps the process alive. */
  wanted: number;
  want: () => void;
  /** Nobody waits for one of them any more. */
  unwant: () => void;
}

/** How long an idle host still keeps the process alive, in milliseconds. */
const RELEASE_MS = 5;

/** The lane of a new host: it keeps the process alive while somebody waits for a call, and {@link RELEASE_MS} longer. */
export function createLane<Call>(host: Host): Lane<Call> {
  let isHeld = true;
  let releasing: NodeJS.Timeout | undefined;
  const lane: Lane<Call> = {
    host,
    calls: new Map(),
    isRetired: false,
    wanted: 0,
    want: () => {
      lane.wanted++;
      if (isHeld) return;
      isHeld = true;
      host.hold(true);
    },
    unwant: () => {
      if (--lane.wanted > 0) return;
      if (lane.isRetired) host.kill();
      // Not at once: a call often follows, and to hold and to let go costs as much as the call.
      releasing ??= setTimeout(() => {
        releasing = undefined;
        if (lane.wanted > 0) return;
        isHeld = false;
        host.hold(false);
      }, RELEASE_MS).unref();
    },
  };
  return lane;
}
