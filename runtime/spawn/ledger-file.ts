import { lstat, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { replaceFile } from '../files/replace.ts';
import { isProcess } from '../process/is-process.ts';
import { isHere } from '../process/place.ts';
import { parseLedger, type LedgerFile, type LedgerRow } from './ledger-row.ts';

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
  const refused = (problem: string): LedgerFile => ({ ...parseLedger(path, ''), problem });
  try {
    const { uid } = await lstat(path);
    // Who may write there could name any of our processes.
    if (process.getuid && uid !== process.getuid()) return refused('belongs to another user');
    return parseLedger(path, await readFile(path, 'utf8'));
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
      const text = await readFile(path, 'utf8');
      const ledger = parseLedger(path, text);
      if (ledger.problem !== undefined) return text.length;
      const kept = new Set<string>();
      for (const row of ledger.children) if (await isKept(row)) kept.add(`${row.pid}:${row.start}`);
      const lines = text.split('\n').filter((line) => line !== '' && !isEnded(path, line, kept));
      // How far the owner had come, which tells a child whose row was not written from one whose row was dropped.
      if (parseLedger(path, lines.join('\n')).lastSeq < ledger.lastSeq)
        lines.push(JSON.stringify(progress(ledger)));
      const shorter = lines.map((line) => `${line}\n`).join('');
      if (shorter.length < text.length) await replaceFile(path, shorter, { durable: false });
      return shorter.length;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

function isEnded(path: string, line: string, kept: ReadonlySet<string>): boolean {
  const [row] = parseLedger(path, line).children;
  return row !== undefined && !kept.has(`${row.pid}:${row.start}`);
}

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
