import { existsSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';
import { transfer } from '../../../runtime/off-loop/offload.ts';

let count = 0;

export const VERSION = 1;
export const where = (): { isMainThread: boolean; threadId: number; pid: number } => ({
  isMainThread,
  threadId,
  pid: process.pid,
});
export const increment = (by = 1): number => (count += by);
export const echo = <T>(value: T): T => value;
export const later = async (value: number): Promise<number> =>
  new Promise((resolve) => setTimeout(resolve, 5, value));
export class OddError extends RangeError {
  code = 'ODD';
  detail = { deep: [1] };
}
export function fail(kind: string): never {
  if (kind === 'odd') throw new OddError('planned', { cause: new TypeError('because') });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a test is about
  if (kind === 'string') throw 'just text';
  if (kind === 'system') existsSync('x');
  throw Object.assign(new AggregateError([new Error('one')], 'many'), { handler: () => 1 });
}
export const rejects = (): Promise<never> => Promise.reject(new SyntaxError('late'));
export const unclonable = (): unknown => () => 1;
export function* numbers(n: number): Generator<number> {
  try {
    for (let i = 0; i < n; i++) yield i;
  } finally {
    count = -1;
  }
}
export async function* slowly(n: number): AsyncGenerator<number> {
  for (let i = 0; i < n; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield i;
  }
}
export function* breaks(): Generator<number> {
  for (let i = 0; i < 1000; i++) yield i;
  throw new Error('in the middle');
}
export function spin(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
}
export const forever = (): never => {
  for (;;);
};
export const die = (): never => process.exit(3);
export const bytes = (n: number): Uint8Array => {
  const array = new Uint8Array(n).fill(7);
  return transfer(array, [array.buffer]);
};
export const lengthOf = (array: Uint8Array): number => array.length;
