import type { encodeError } from './codec.ts';
import type { Port } from './program.ts';

// Tuples: to copy an object with names costs a tenth of what a call costs.

/** To the host: a call, or what else is to be done about one. */
export type ToHost = [id: number, call: unknown, other?: 'pull' | 'stop'];

/** From the host: a value, or what else a call has come to. */
export type FromHost = [id: number, value: unknown, other?: { error: unknown; isUseless?: boolean } | Rows];

/** One part of an answer in rows. */
export interface Rows {
  rows: unknown[];
  done: boolean;
  note?: unknown;
}

/** What a handler gives back. */
export type Reply =
  | { value: unknown; transfer?: readonly unknown[] }
  /** Why this host can answer nothing at all: the next call is to have another. */
  | { useless: unknown }
  | {
      rows: Iterator<unknown> | AsyncIterator<unknown>;
      /** Rows a message at most; 1 for what comes slowly. */
      size: number;
      /** Told of the rows of each message; what it returns goes along. */
      note?: (rows: unknown[]) => unknown;
    };

/** Bytes and milliseconds that a message of rows may take: the loop is blocked while it is read. */
export interface ChunkLimits {
  bytes: number;
  ms: number;
}

/**
 * The host's half of a client: takes calls in their order, sends many rows in parts as they are asked for, and errors as
 * data. Holds no reference to its module: hosts get its source.
 */
export function serve(
  port: Port,
  tools: { encodeError: typeof encodeError },
  handle: (call: never) => Reply | Promise<Reply>,
  limits: ChunkLimits,
): void {
  type Stream = Extract<Reply, { rows: unknown }>;
  const streams = new Map<number, Stream>();
  const running = new Set<number>();

  const post = (message: FromHost, transfer?: readonly unknown[]): void => {
    port.post(message, transfer);
  };
  const postError = (id: number, error: unknown): void => {
    post([id, undefined, { error: tools.encodeError(error) }]);
  };
  const weigh = (row: unknown): number => {
    if (typeof row === 'string') return row.length;
    if (typeof row !== 'object' || row === null) return 8;
    if (ArrayBuffer.isView(row)) return row.byteLength;
    let bytes = 16;
    for (const value of Object.values(row)) {
      bytes += typeof value === 'string' ? value.length : ArrayBuffer.isView(value) ? value.byteLength : 8;
    }
    return bytes;
  };
  const sendRows = (id: number, stream: Stream, rows: unknown[], done: boolean): void => {
    if (done) streams.delete(id);
    const note = stream.note?.(rows);
    post([id, undefined, { rows, done, ...(note !== undefined && { note }) }]);
  };
  const next = (id: number, stream: Stream): void => {
    const rows: unknown[] = [];
    const endAt = performance.now() + limits.ms;
    let bytes = 0;
    const isFull = (): boolean =>
      rows.length >= stream.size ||
      bytes >= limits.bytes ||
      (rows.length % 16 === 0 && performance.now() > endAt);
    const fail = (error: unknown): void => {
      streams.delete(id);
      postError(id, error);
    };
    try {
      do {
        const turn = stream.rows.next();
        if ('then' in turn) {
          turn.then((late) => {
            if (!streams.has(id)) return;
            try {
              sendRows(id, stream, late.done ? [] : [late.value], late.done === true);
            } catch (error) {
              fail(error);
            }
          }, fail);
          return;
        }
        if (turn.done) {
          sendRows(id, stream, rows, true);
          return;
        }
        rows.push(turn.value);
        bytes += weigh(turn.value);
      } while (!isFull());
      sendRows(id, stream, rows, false);
    } catch (error) {
      fail(error);
    }
  };
  const answer = (id: number, reply: Reply): void => {
    if (!running.delete(id)) {
      // Stopped meanwhile.
      if ('rows' in reply) void reply.rows.return?.();
      return;
    }
    if ('rows' in reply) {
      streams.set(id, reply);
      next(id, reply);
      return;
    }
    if ('useless' in reply) {
      post([id, undefined, { error: tools.encodeError(reply.useless), isUseless: true }]);
      return;
    }
    try {
      post([id, reply.value], reply.transfer);
    } catch (error) {
      // A value that cannot be copied.
      postError(id, error);
    }
  };
  const fail = (id: number, error: unknown): void => {
    if (running.delete(id)) postError(id, error);
  };

  port.listen(([id, call, other]: ToHost) => {
    if (other === 'pull') {
      const stream = streams.get(id);
      if (stream) next(id, stream);
    } else if (other === 'stop') {
      const stream = streams.get(id);
      streams.delete(id);
      try {
        void stream?.rows.return?.();
      } catch {
        // Nobody listens any more.
      }
      if (running.delete(id) || stream) post([id, undefined, { rows: [], done: true }]);
    } else {
      if (!port.begin(id)) return;
      running.add(id);
      try {
        const reply = handle(call as never);
        if (reply instanceof Promise) {
          reply.then(
            (late) => {
              answer(id, late);
            },
            (error: unknown) => {
              fail(id, error);
            },
          );
        } else answer(id, reply);
      } catch (error) {
        fail(id, error);
      }
    }
  });
}
