import { table } from 'owned-spawn/cli';
import type { ListedException } from '../exceptions.ts';
import type { ExceptionReport } from './exception-reports.ts';

/** What stands where there is nothing to say. */
const NONE = '-';

/** One line an exception and a sum below, for people. */
export const exceptionTable: ExceptionReport = (exceptions, paint) => {
  if (exceptions.length === 0) return 'No exceptions.\n';
  const [head = '', ...rows] = table([
    ['place', 'kind', 'since', 'until', 'ref', 'reason'],
    ...exceptions.map(rowOf),
  ]);
  return `${[paint.dim(head), ...rows, '', sumOf(exceptions)].join('\n')}\n`;
};

function rowOf(exception: ListedException): string[] {
  const { file, line, kind, since, until, ref, reason, rollout } = exception;
  const why = reason.replaceAll(/\s+/g, ' ') || NONE;
  return [
    `${file}:${line}`,
    kind,
    since ?? NONE,
    until ?? NONE,
    ref ?? NONE,
    rollout ? `for-rollout: ${why}` : why,
  ];
}

/** `3 exceptions in 2 files: 2 detached-spawn, 1 eslint-disable`. */
function sumOf(exceptions: readonly ListedException[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of exceptions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const files = new Set(exceptions.map(({ file }) => file)).size;
  const parts = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return `${plural(exceptions.length, 'exception')} in ${plural(files, 'file')}: ${parts.join(', ')}`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
