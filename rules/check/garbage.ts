import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Where memory is plenty, V8 would keep the trees of three bundles before it looks which are garbage: 1.6 GB. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/**
 * From here on V8 looks for garbage once the heap is larger by so many percent than what was in use; where memory is
 * plenty it would wait for several times as much. By 50, half the memory of a check for 5 % more time.
 */
export function growSlowly(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${String(percent)}`);
}
