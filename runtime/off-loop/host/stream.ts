import type { Rows } from './serve.ts';

/** What comes behind the first part of an answer in rows. */
export interface Stream {
  pull: () => Promise<Rows>;
  next(rows: Rows): void;
  fail(error: Error): void;
}

/**
 * The further parts of an answer, one at a time.
 * @param ask asks the host for the next
 */
export function createStream(ask: () => void): Stream {
  let failed: Error | undefined;
  let waiting: { resolve: (rows: Rows) => void; reject: (error: Error) => void } | undefined;
  return {
    pull: () =>
      new Promise((resolve, reject) => {
        if (failed !== undefined) {
          reject(failed);
          return;
        }
        waiting = { resolve, reject };
        ask();
      }),
    next: (rows) => waiting?.resolve(rows),
    fail: (error) => {
      failed = error;
      waiting?.reject(error);
    },
  };
}
