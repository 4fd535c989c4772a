import type { ChildProcess } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { killOwned } from './kill-owned.ts';

/** Ends the whole group where child_process's own `signal` and `timeout` signal the child alone; its events stay theirs. */
export function endInTime(
  child: ChildProcess,
  { signal, timeout = 0 }: { signal?: AbortSignal | undefined; timeout?: number | undefined },
): void {
  const end = (): void => {
    killOwned(child).catch(() => {
      // What cannot be ended stays owned.
    });
  };
  const timer = timeout > 0 ? setTimeout(end, timeout).unref() : undefined;
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  if (!timer && !signal) return;
  child.once('exit', () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
}
