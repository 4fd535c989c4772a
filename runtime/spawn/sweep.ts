import { stat } from 'node:fs/promises';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { withLock } from '../files/lock.ts';
import { isProcess } from '../process/is-process.ts';
import { listMarked } from '../process/marked.ts';
import { isHere } from '../process/place.ts';
import { endOrphan } from './end-orphan.ts';
import { application, ledgerPrefix } from './ledger.ts';
import { compactFile, listLedgers, mayLive, readLedger, removeLedger } from './ledger-file.ts';
import { isOwnedRow, type LedgerFile } from './ledger-row.ts';
import { orphansOf } from './orphans-of.ts';
import { ownerStateOf } from './owner-state.ts';
import { registry } from './registry.ts';
import { stateFolder } from './state-folder.ts';

/** What a sweep found. */
export interface SweepReport {
  /** Groups (or single processes) that were ended: their id, label and command line. */
  ended: { pgid: number; label: string | null; argv: string[] }[];
  /** What was left alone: the ledger, and why nothing was done about it. */
  kept: { ledger: string; reason: string }[];
}

/** How long the supervisor of an owner that has just died may be at work beyond the longest grace, in milliseconds. */
const SUPERVISOR_MS = 2000;
const LOOK_MS = 50;
const HOLD_MS = 60_000;
/** Thirty days. */
const OLD_MS = 30 * 86_400_000;

/** Begins the sweep of this thread, once: off the hot path, without keeping this process alive. What it has begun, the supervisor ends. */
export const beginSweep = (): Promise<SweepReport> => (registry.sweep ??= sweep());

/**
 * Ends what earlier runs of this application left when they were killed together with their supervisors. It begins by
 * itself with the first child that is spawned, and with warm(); call it to begin earlier, or to wait for it. Only what is
 * proved is ended: pid and start time, or the environment mark, in this boot and pid namespace, of an owner that is gone.
 * @returns what it found, the same for each call in a thread; never rejects
 */
export async function sweepOrphans(): Promise<SweepReport> {
  // The sweep's own timers let the process go.
  const hold = setInterval(() => undefined, HOLD_MS);
  try {
    return await beginSweep();
  } finally {
    clearInterval(hold);
  }
}

async function sweep(): Promise<SweepReport> {
  const report: SweepReport = { ended: [], kept: [] };
  try {
    for (const path of await listLedgers(stateFolder(), ledgerPrefix(application()))) {
      if (path !== registry.ledger?.path) await sweepLedger(path, report);
    }
    for (const path of await listLedgers(stateFolder())) await removeIfOld(path);
  } catch (error) {
    report.kept.push({ ledger: '', reason: (error as Error).message });
  }
  return report;
}

async function sweepLedger(path: string, report: SweepReport): Promise<void> {
  const keep = (reason: string): void => void report.kept.push({ ledger: path, reason });
  const owner = await ownerStateOf(await readLedger(path));
  if (owner.is === 'alive') return;
  if (owner.is === 'unknown') {
    keep(owner.why);
    return;
  }
  try {
    await withLock(path, async (held) => {
      if (!held) {
        keep('another process is at it');
        return;
      }
      // Read anew: it may have been swept while we waited.
      const ledger = await readLedger(path);
      if (ledger.problem !== undefined) return;
      await supervisorIsDone(ledger);
      const orphans = await orphansOf(ledger, await listMarked());
      await Promise.all(orphans.map(endOrphan));
      report.ended.push(...orphans.map(({ pgid, label = null, argv }) => ({ pgid, label, argv })));
      if (ledger.corrupt.length > 0) keep(`has lines that are no rows: ${ledger.corrupt.join(', ')}`);
    });
    await tidyLedger(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Gone: somebody else swept it.
    if (code !== 'ENOENT') keep(message);
  }
}

/** The ledger of an application that is never started again, or of another boot, must not lie there for ever. */
async function removeIfOld(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs < OLD_MS) return;
    const ledger = await readLedger(path);
    const { is } = await ownerStateOf(ledger);
    if (is === 'gone') await tidyLedger(path);
    else if (ledger.owner && !isHere(ledger.owner)) await removeLedger(ledger);
  } catch {
    // Somebody else was faster.
  }
}

/** Removes the ledger of a dead owner, but for the rows of children that were to outlive it and do. */
export async function tidyLedger(path: string): Promise<void> {
  await compactFile(path);
  const ledger = await readLedger(path);
  for (const row of ledger.children) if (await mayLive(row)) return;
  await removeLedger(ledger);
}

/** A second TERM hurries or breaks off many a shutdown that the first one has begun. */
async function supervisorIsDone({ supervisor, children }: LedgerFile): Promise<void> {
  if (!supervisor) return;
  const longest = Math.max(0, ...children.filter(isOwnedRow).map(({ graceMs }) => graceMs));
  for (let end = performance.now() + longest + SUPERVISOR_MS; performance.now() < end;) {
    if ((await isProcess(supervisor)) !== 'yes') return;
    await pause(LOOK_MS, undefined, { ref: false });
  }
}
