import type { Lane } from './lane.ts';
import type { Rows } from './serve.ts';
import type { Stream } from './stream.ts';

/** How a call is made. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  transfer?: readonly unknown[] | undefined;
  /** An error captured where the caller called: its stack goes into the error's. */
  site?: { stack?: string } | undefined;
  /** Counts neither for `maxPending` nor is refused by it: part of what was let in before. */
  isInner?: boolean | undefined;
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

/** A call that has no answer yet, or not all parts of it. */
export interface Call {
  /** Its number on its lane: numbers grow in the order in which a host begins. */
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

/** Rejects a call, or what still waits for a part of its answer. */
export function failCall(call: Call, error: Error): void {
  ignoreAbort(call);
  call.reject(error);
  call.stream?.fail(error);
}

/** To be called once a call has its whole answer: a signal that lives on must not keep it. */
export function ignoreAbort({ onAbort, options: { signal } }: Call): void {
  if (onAbort) signal?.removeEventListener('abort', onAbort);
}
