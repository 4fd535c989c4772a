import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Where memory is plenty, V8 would keep the trees of three bundles before it looks which are garbage: 1.6 GB. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** In bytes. */
const MUCH = 1_100_000_000;
const FILES_BETWEEN = 60;

/** A function to call after each file that was read: it looks for garbage now and then, where much memory is in use. */
export function relief(): () => void {
  let files = 0;
  return () => {
    files += 1;
    if (files % FILES_BETWEEN === 0 && process.memoryUsage.rss() > MUCH) collectGarbage();
  };
}
