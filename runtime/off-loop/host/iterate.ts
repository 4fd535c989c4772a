import type { Answer } from './call.ts';
import type { Rows } from './serve.ts';

/**
 * Rows one by one. The next part is asked for when this one is used up: a slow reader slows the host. An early end lets the
 * host drop the rest.
 * @param revive applied to each part
 */
export function iterate<T>(
  { first, pull, stop }: Extract<Answer, { first: Rows }>,
  revive: (part: Rows) => unknown[] = ({ rows }) => rows,
): AsyncIterableIterator<T> {
  let [rows, isLast] = [revive(first), first.done];
  let index = 0;
  let pulling: Promise<void> | undefined;
  const over = { done: true, value: undefined } as const;

  const more = async (): Promise<void> => {
    try {
      const part = await pull();
      [rows, isLast, index] = [revive(part), part.done, 0];
    } catch (error) {
      [rows, isLast, index] = [[], true, 0];
      throw error;
    } finally {
      pulling = undefined;
    }
  };
  // Callers that do not wait for each other are served in turn all the same.
  const next = (): Promise<IteratorResult<T>> => {
    if (pulling) return pulling.then(next);
    if (index < rows.length) return Promise.resolve({ done: false, value: rows[index++] as T });
    if (isLast) return Promise.resolve(over);
    pulling = more();
    return pulling.then(next);
  };
  return {
    next,
    return: (value?: unknown) => {
      if (!isLast) stop();
      [rows, isLast] = [[], true];
      return Promise.resolve({ done: true, value });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
