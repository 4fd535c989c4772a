import fs from 'node:fs';
import { promisify } from 'node:util';

/** One call of node:fs by its name (its last argument, the callback, left out), or a pause in milliseconds. */
export type Step = readonly [name: string, ...args: unknown[]] | readonly ['sleep', number];

/**
 * A file algorithm written once: it yields the calls, and who runs it decides whether they block. The loop must never wait
 * for a disk, yet an 'exit' handler can do nothing but wait.
 */
export type Steps<T> = Generator<Step, T, never>;

/** What a step gave back: the generator knows which call it made. */
type Answer = never;

/** Runs an algorithm with each call off the loop. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let turn = steps.next();
  while (!turn.done) {
    try {
      turn = steps.next((await call(turn.value)) as Answer);
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}

async function call([name, ...args]: Step): Promise<unknown> {
  if (name === 'sleep') return new Promise((resolve) => setTimeout(resolve, args[0] as number));
  return (promisify(fs[name as 'stat']) as (...all: unknown[]) => Promise<unknown>)(...args);
}

/**
 * Runs an algorithm to its end before it returns. Holds no reference to its module: hosts get its source.
 * @param files node:fs
 */
export function runStepsSync<T>(files: typeof fs, steps: Steps<T>): T {
  let turn = steps.next();
  while (!turn.done) {
    const [name, ...args] = turn.value;
    try {
      const answer =
        name === 'sleep'
          ? Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, args[0] as number)
          : (files[`${name}Sync` as 'statSync'] as (...all: unknown[]) => unknown)(...args);
      turn = steps.next(answer as Answer);
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}
