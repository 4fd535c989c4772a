import { isProcess } from '../process/is-process.ts';
import { isHere } from '../process/place.ts';
import { application, ledgerPrefix, recordNow } from './ledger.ts';
import { compactFile, listLedgers, mayLive, readLedger } from './ledger-file.ts';
import type { LedgerRow } from './ledger-row.ts';
import { ownerStateOf } from './owner-state.ts';
import { registry } from './registry.ts';
import { stateFolder } from './state-folder.ts';

/** A child that an earlier run of this application started with a reason to outlive it, and that lives. */
export interface Survivor {
  pid: number;
  /** Start time in clock ticks since boot: with the pid, an identity. */
  start: string;
  label: string | undefined;
  why: string;
  /** The command line, without secrets. */
  argv: string[];
  cwd: string;
  /** The files that it writes to; undefined where its output goes elsewhere. */
  stdout: string | undefined;
  stderr: string | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/**
 * Takes over what earlier runs of this application left on purpose: spawnDetached(), or `outlives`. Each is proved to be
 * the same process by pid and start time, in this boot and pid namespace, and goes to one taker only: its row moves to
 * this process's ledger. It still outlives this process; ownProcessGroups(pid) makes it end with it, after which
 * killOwned(pid) ends it.
 * @returns the survivors, the oldest first; never rejects for a ledger that cannot be read, which is passed over
 */
export async function adoptSurvivors(): Promise<Survivor[]> {
  const taken = new Map<string, LedgerRow>();
  for (const path of await listLedgers(stateFolder(), ledgerPrefix(application()))) {
    if (path === registry.ledger?.path) continue;
    // Gone meanwhile, or held by another taker: its rows are not ours.
    const rows = await takeFrom(path).catch(() => []);
    for (const row of rows) taken.set(`${row.pid}:${row.start}`, row);
  }
  return [...taken.values()].sort((a, b) => a.at - b.at).map(toSurvivor);
}

async function takeFrom(path: string): Promise<LedgerRow[]> {
  if ((await ownerStateOf(await readLedger(path))).is !== 'gone') return [];
  const taken: LedgerRow[] = [];
  await compactFile(path, async (row) => {
    const isOurs = row.event !== 'release' && row.why !== null && isHere(row);
    if (!isOurs || (await isProcess(row)) !== 'yes') return mayLive(row);
    // First in our ledger, then out of the other: killed in between, it is in both.
    const { pid, pgid, start, label, why, argv, cwd, stdout, stderr, at } = row;
    recordNow('adopt', { pid, pgid, start, label, why, argv, cwd, stdout, stderr, at });
    taken.push(row);
    return false;
  });
  return taken;
}

const toSurvivor = ({ pid, start, label, why, argv, cwd, stdout, stderr, at }: LedgerRow): Survivor => ({
  pid,
  start,
  label: label ?? undefined,
  why: why ?? '',
  argv,
  cwd,
  stdout: stdout ?? undefined,
  stderr: stderr ?? undefined,
  startedAt: at,
});
