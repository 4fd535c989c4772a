import { createReadStream } from 'node:fs';
import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { replaceFile } from '../files/replace.ts';
import { isProcess } from '../process/is-process.ts';
import { isHere } from '../process/place.ts';
import {
  lastSeqOf,
  ledgerOf,
  parseLine,
  type LedgerFile,
  type LedgerLine,
  type LedgerRow,
} from './ledger-row.ts';

const LOCK_WAIT_MS = 2000;
const EXTENSION = '.jsonl';

/** The ledgers of a folder, or those whose names begin with a prefix; none where there is no folder. */
export async function listLedgers(folder: string, prefix = ''): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(EXTENSION))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads a ledger; one that cannot be read, or may be another user's words, has a problem and no rows. */
export async function readLedger(path: string): Promise<LedgerFile> {
  const refused = (problem: string): LedgerFile => ({ ...ledgerOf(path, []), problem });
  try {
    const { uid } = await lstat(path);
    // Who may write there could name any of our processes.
    if (process.getuid && uid !== process.getuid()) return refused('belongs to another user');
    return ledgerOf(path, await linesOf(path));
  } catch (error) {
    return refused(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/**
 * Rewrites a ledger without the children that are not to be kept. Lines that nobody can read stay as they are. Not to be
 * called while rows are added.
 * @returns the bytes that it has now
 * @throws ETIMEDOUT where another process holds it for two seconds; what the file system throws
 */
export async function compactFile(
  path: string,
  isKept: (row: LedgerRow) => boolean | Promise<boolean> = mayLive,
): Promise<number> {
  return withLock(
    path,
    async (held) => {
      if (!held) throw lockedError(path);
      const lines = await linesOf(path);
      const ledger = ledgerOf(path, lines);
      const size = sizeOf(lines);
      if (ledger.problem !== undefined) return size;
      const ended = new Set<string>();
      for (const row of ledger.children) if (!(await isKept(row))) ended.add(keyOf(row));
      const left = lines.filter(
        ({ text, row }) => text !== '' && !(row && isChild(row) && ended.has(keyOf(row))),
      );
      // How far the owner had come, which tells a child whose row was not written from one whose row was dropped.
      if (lastSeqOf(left.flatMap(({ row }) => row ?? [])) < ledger.lastSeq)
        left.push({ text: JSON.stringify(progress(ledger)) });
      const shorter = sizeOf(left);
      if (shorter < size)
        await replaceFile(path, left.map(({ text }) => `${text}\n`).join(''), { durable: false });
      return shorter;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

/** Reads a file in pieces of 64 kB: the loop is held for a millisecond each, however large it has grown. */
async function linesOf(path: string): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const texts = (rest + piece).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) lines.push(parseLine(text));
  }
  return [...lines, parseLine(rest)];
}

const sizeOf = (lines: readonly LedgerLine[]): number =>
  lines.reduce((sum, { text }) => sum + (text === '' ? 0 : text.length + 1), 0);

const keyOf = ({ pid, start }: LedgerRow): string => `${pid}:${start}`;

const isChild = ({ event }: LedgerRow): boolean => event !== 'owner' && event !== 'supervisor';

function progress({ owner, children, lastSeq }: LedgerFile): Partial<LedgerRow> {
  const row = Math.max(...children.map((each) => each.row)) + 1;
  const { ownerPid: pid = 0, ownerStart: start = '' } = owner ?? {};
  return { ...owner, event: 'owner', row, pid, pgid: pid, start, seq: lastSeq, label: null, why: null };
}

/** Whether the child may still live; where that cannot be told, it may. */
export async function mayLive(row: LedgerRow): Promise<boolean> {
  if (!isHere(row)) return true;
  return (await isProcess(row)) !== 'no';
}

/** Takes the file of an owner that is gone away; what it holds that nobody can read is set aside under another name. */
export async function removeLedger({ path, corrupt }: LedgerFile): Promise<void> {
  if (corrupt.length > 0) await rename(path, `${path}.corrupt`);
  else await unlink(path);
}

const lockedError = (path: string): Error =>
  Object.assign(new Error(`${path} is held by another process`), { code: 'ETIMEDOUT' });
