import { readFile } from 'node:fs/promises';
import { hasProc, isLiving, isThere, parseStat } from './identity.ts';

/**
 * Whether the process that had this pid and start time still runs, without blocking the loop. A zombie does not.
 * `unknown`: something has the pid, and who cannot be told.
 */
export async function isProcess({
  pid,
  start,
}: {
  pid: number;
  start: string;
}): Promise<'yes' | 'no' | 'unknown'> {
  if (!hasProc()) return isThere(pid) ? 'unknown' : 'no';
  const row = await readFile(`/proc/${pid}/stat`, 'utf8').then(parseStat, () => undefined);
  if (!row || !isLiving(row)) return 'no';
  if (start === '') return 'unknown';
  return row.start === start ? 'yes' : 'no';
}
