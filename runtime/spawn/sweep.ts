import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { withLock } from '../files/lock.ts';
import { livingMember, sessionGroups, signalGroup, signalOwned } from '../process/group.ts';
import { groupOf } from '../process/identity.ts';
import { isProcess } from '../process/is-process.ts';
import { listMarked, type Marked } from '../process/marked.ts';
import { isHere } from '../process/place.ts';
import { application, ledgerPrefix } from './ledger.ts';
import { compactFile, listLedgers, mayLive, readLedger, removeLedger } from './ledger-file.ts';
import { isOwnedRow, type LedgerFile, type LedgerRow } from './ledger-row.ts';
import { descendsFrom } from './escapees.ts';
import { DEFAULT_GRACE_MS, registry, type OwnedGroup } from './registry.ts';
import { release } from './release-once-empty.ts';
import { stateFolder } from './state-folder.ts';
import { ensureSupervisor, tell } from './supervisor.ts';
import { groupLine } from './wire.ts';

/** What a sweep found. */
export interface SweepReport {
  /** Groups (or single processes) that were ended: their id, label and command line. */
  ended: { pgid: number; label: string | null; argv: string[] }[];
  /** What was left alone: the ledger, and why nothing was done about it. */
  kept: { ledger: string; reason: string }[];
}

/** Something that a dead owner owned, proved to be still the same. */
export interface Orphan extends OwnedGroup {
  readonly proof: 'start time' | 'environment mark';
  readonly argv: string[];
}

/** How long the supervisor of an owner that has just died may be at work beyond the longest grace, in milliseconds. */
const SUPERVISOR_MS = 2000;
const LOOK_MS = 50;
const HOLD_MS = 60_000;
/** What a KILL does not end in this time hangs in the kernel. */
const KILL_MS = 5000;

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
  } catch (error) {
    report.kept.push({ ledger: '', reason: (error as Error).message });
  }
  return report;
}

async function sweepLedger(path: string, report: SweepReport): Promise<void> {
  const keep = (reason: string): void => void report.kept.push({ ledger: path, reason });
  const state = await stateOf(await readLedger(path));
  if (state === 'owner lives') return;
  if (state !== 'owner is gone') {
    keep(state);
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

/** Whether a ledger's owner can be told to be gone; else why not. */
export async function stateOf({ owner, problem }: LedgerFile): Promise<string> {
  if (problem !== undefined) return problem;
  if (!owner) return 'has no row that can be read';
  if (!isHere(owner)) return 'was written in another boot or pid namespace';
  const is = await isProcess({ pid: owner.ownerPid, start: owner.ownerStart });
  if (is === 'no') return 'owner is gone';
  return is === 'yes' ? 'owner lives' : `cannot tell whether its owner ${owner.ownerPid} lives`;
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

/** What is proved to be left of a dead owner's children; `marked` is what listMarked() found. */
export async function orphansOf(ledger: LedgerFile, marked: readonly Marked[]): Promise<Orphan[]> {
  const { owner } = ledger;
  if (!owner) return [];
  const orphans = new Map<number, Orphan>();
  const add = (row: LedgerRow, pgid: number, start: string, proof: Orphan['proof']): void => {
    if (orphans.has(pgid) || pgid <= 1) return;
    const { graceMs, argv, extent, escapees, seq } = row;
    const label = row.label ?? undefined;
    orphans.set(pgid, { pgid, start, graceMs, label, argv, extent, escapees, seq, proof });
  };
  for (const row of ledger.children.filter((each) => isOwnedRow(each) && isHere(each))) {
    if ((await isProcess(row)) === 'yes') add(row, row.pgid, row.start, 'start time');
    for (const { row: member, marks } of marked) {
      // What shares the group of the owner, or ours, cannot be ended by group.
      if (row.seq === 0 || member.pgid === owner.pgid || member.pgid === groupOf(process.pid)) continue;
      if (!descendsFrom(marks, owner.nonce, row.seq)) continue;
      const belongs =
        (row.extent === 'group' && member.pgid === row.pgid) ||
        (row.extent === 'session' && member.sid === row.pgid) ||
        row.escapees === 'kill';
      if (belongs) add(row, member.pgid, member.pgid === row.pgid ? row.start : '', 'environment mark');
    }
  }
  // Started in the owner's last moment: its row was not written any more.
  for (const { row, marks } of marked) {
    const mark = marks.at(-1);
    const isChild = mark?.nonce === owner.nonce && mark.why === undefined && mark.seq > ledger.lastSeq;
    if (!isChild || row.pid !== row.pgid) continue;
    const unwritten = { ...owner, argv: [row.comm], graceMs: DEFAULT_GRACE_MS, seq: mark.seq };
    add(unwritten, row.pid, row.start, 'environment mark');
  }
  return [...orphans.values()];
}

async function endOrphan(orphan: Orphan): Promise<void> {
  const { pgid, graceMs } = orphan;
  if (registry.groups.has(pgid)) return;
  // From here on the supervisor sees to it, if we end meanwhile.
  ensureSupervisor();
  registry.groups.set(pgid, orphan);
  tell(groupLine(orphan));
  try {
    signal(orphan, 'SIGTERM', await crewsOf(orphan));
    signal(orphan, 'SIGCONT', await crewsOf(orphan));
    const killAt = performance.now() + graceMs;
    for (let member: number | undefined = pgid; performance.now() < killAt + KILL_MS;) {
      member = await livingMember(orphan, member);
      if (member === undefined) return;
      if (performance.now() >= killAt) signal(orphan, 'SIGKILL', await crewsOf(orphan));
      await pause(LOOK_MS, undefined, { ref: false });
    }
  } catch {
    // EPERM: it belongs to another user by now.
  } finally {
    release(orphan);
  }
}

const crewsOf = async ({ extent, pgid }: Orphan): Promise<number[]> =>
  extent === 'session' ? (await sessionGroups(pgid)).filter((crew) => crew !== pgid) : [];

function signal(orphan: Orphan, name: NodeJS.Signals, crews: readonly number[]): void {
  signalOwned(orphan, name);
  for (const crew of crews) signalGroup(crew, name);
}
