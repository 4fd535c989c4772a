import { readdir, readFile } from 'node:fs/promises';
import { hasProc, isLiving, parseStat, type ProcessRow } from './identity.ts';
import { MARK_VARIABLE, parseMarks, type Mark } from './mark.ts';

/** A living process that carries environment marks. */
export interface Marked {
  row: ProcessRow;
  /** The outermost owner first. */
  marks: Mark[];
}

/**
 * All processes of this machine that carry marks and whose environment we may read, without blocking the loop. Empty
 * without a usable /proc: elsewhere environments are read by ps(1), which blocks.
 */
export async function listMarked(): Promise<Marked[]> {
  if (!hasProc()) return [];
  const found: Marked[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const marks = parseMarks(await markText(name));
    if (marks.length === 0) continue;
    const row = await readFile(`/proc/${name}/stat`, 'utf8').then(parseStat, () => undefined);
    if (row && isLiving(row)) found.push({ row, marks });
  }
  return found;
}

async function markText(pid: string): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const start = `${MARK_VARIABLE}=`;
  return text
    .split('\0')
    .find((entry) => entry.startsWith(start))
    ?.slice(start.length);
}
