import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { killOwned } from './kill-owned.ts';

/** Ends the whole group where child_process's own `signal` and `timeout` signal the child alone; its events stay theirs. */
export function endInTime(
  child: ChildProcess,
  { signal, timeout = 0, killSignal }: Pick<SpawnOptions, 'signal' | 'timeout' | 'killSignal'>,
): void {
  const end = (): void => {
    killOwned(child, { killSignal }).catch(() => {
      // What cannot be ended stays owned.
    });
  };
  const timer = timeout > 0 ? setTimeout(end, timeout).unref() : undefined;
  const forget = signal && onAbort(signal, end);
  if (signal?.aborted) end();
  if (!timer && !signal) return;
  child.once('exit', () => {
    // spawn()'s own timer comes a moment before ours, and the child alone may be gone by then.
    if (timer && child.killed) end();
    clearTimeout(timer);
    forget?.();
  });
}

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** One listener a signal, however many children wait for it: Node warns of more than ten, and spawn() adds one for each child. */
function onAbort(signal: AbortSignal, end: () => void): () => void {
  const known = waiting.get(signal);
  const ends = known ?? new Set();
  ends.add(end);
  if (!known) {
    waiting.set(signal, ends);
    signal.addEventListener(
      'abort',
      () => {
        for (const each of ends) each();
      },
      { once: true },
    );
  }
  return () => ends.delete(end);
}
