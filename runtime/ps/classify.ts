import type { ProcessRow } from '../process/identity.ts';
import { isFolderGone } from '../process/usage.ts';
import { isHere } from '../process/place.ts';
import { orphansOf, type Orphan } from '../spawn/orphans-of.ts';
import type { LedgerRow } from '../spawn/ledger-row.ts';
import type { Survey } from './survey.ts';

/**
 * `orphan`: proved to be owned by an owner that has ended. `deliberate`: it outlives its owner for a reason. `unproved`:
 * signs of ours, but something is missing. `suspect`: looks left behind, by whomever.
 */
export type Verdict = 'orphan' | 'deliberate' | 'unproved' | 'suspect';

/** A process (or group) that somebody who has ended left, and what tells that. */
export interface Finding {
  verdict: Verdict;
  row: ProcessRow;
  label: string | undefined;
  /** What was seen, and of an unproved one what is missing, in sentences without a full stop. */
  evidence: string[];
  /** How it can be ended; only of an orphan. */
  orphan: Orphan | undefined;
}

/** Who is left of dead owners, and who else looks left behind; the surest first. */
export async function classify(survey: Survey): Promise<Finding[]> {
  const ours = await fromLedgers(survey);
  const known = new Set(ours.map(({ row }) => row.pid));
  const marked = fromMarks(survey).filter(({ row }) => !known.has(row.pid));
  for (const { row } of marked) known.add(row.pid);
  const suspects = abandoned(survey).filter(({ row }) => !known.has(row.pid));
  return [...ours, ...marked, ...suspects];
}

const ownerText = ({ ownerPid, app }: LedgerRow): string => `its owner ${ownerPid} (${app}) has ended`;

async function fromLedgers({ ledgers, processes, marks }: Survey): Promise<Finding[]> {
  const findings: Finding[] = [];
  const marked = [...marks].flatMap(([pid, each]) => {
    const row = processes.get(pid);
    return row ? [{ row, marks: each }] : [];
  });
  for (const ledger of ledgers) {
    const { owner, ownerState, children } = ledger;
    if (!owner || ownerState.is === 'alive') continue;
    if (ownerState.is === 'unknown') {
      // What its numbers mean here, nobody knows: only a mark can show that one of its children is seen.
      for (const { row, marks: each } of marked) {
        if (!each.some(({ nonce }) => nonce === owner.nonce)) continue;
        const evidence = [
          `carries the mark of owner ${owner.ownerPid}`,
          `missing: its ledger ${ownerState.why}`,
        ];
        findings.push({ verdict: 'unproved', row, label: undefined, evidence, orphan: undefined });
      }
      continue;
    }
    const orphans = await orphansOf(ledger, marked);
    for (const orphan of orphans) {
      const proof =
        orphan.proof === 'start time'
          ? 'pid and start time are those in the ledger'
          : 'its environment carries the mark of that owner';
      for (const row of membersOf(orphan, processes)) {
        const evidence = [
          ownerText(owner),
          row.pid === orphan.pgid ? proof : `in the group ${orphan.pgid}: ${proof}`,
        ];
        findings.push({ verdict: 'orphan', row, label: orphan.label, evidence, orphan });
      }
    }
    for (const child of children.filter(isHere)) {
      const row = processes.get(child.pid);
      if (!row || child.start === '' || row.start !== child.start) continue;
      if (child.why === null && child.event !== 'release') continue;
      const why = child.why === null ? 'it was released on purpose' : `it outlives its owner: ${child.why}`;
      const evidence = [ownerText(owner), why];
      findings.push({
        verdict: 'deliberate',
        row,
        label: child.label ?? undefined,
        evidence,
        orphan: undefined,
      });
    }
  }
  return findings;
}

function membersOf({ pgid, extent }: Orphan, processes: ReadonlyMap<number, ProcessRow>): ProcessRow[] {
  const isMember = (row: ProcessRow): boolean => {
    if (extent === 'process') return row.pid === pgid;
    return extent === 'session' ? row.sid === pgid : row.pgid === pgid;
  };
  return [...processes.values()].filter(isMember).sort((a, b) => a.pid - b.pid);
}

/** Those whose nearest owner is no process any more, and that no ledger accounts for. */
function fromMarks({ ledgers, processes, marks }: Survey): Finding[] {
  const living = new Set(
    ledgers.filter(({ ownerState }) => ownerState.is === 'alive').map(({ owner }) => owner?.nonce),
  );
  const written = new Set(ledgers.map(({ owner }) => owner?.nonce));
  return [...marks].flatMap(([pid, each]): Finding[] => {
    const row = processes.get(pid);
    const mark = each.at(-1);
    if (!row || !mark || living.has(mark.nonce) || processes.has(mark.ownerPid)) return [];
    const base = { row, label: undefined, orphan: undefined };
    const seen = `carries the mark of owner ${mark.ownerPid}, and no process has that pid`;
    const reason = each.findLast(({ why }) => why !== undefined)?.why;
    if (reason !== undefined)
      return [{ ...base, verdict: 'deliberate', evidence: [seen, `it outlives its owner: ${reason}`] }];
    const missing = written.has(mark.nonce)
      ? 'missing: it has left the group that its owner owned, perhaps on purpose'
      : 'missing: a ledger of that owner, which would tell that it ran in this pid namespace';
    return [{ ...base, verdict: 'unproved', evidence: [seen, missing] }];
  });
}

/** Processes of this user whose parent has ended and that show one more sign of it. Daemons look the same: nothing is proved. */
function abandoned({ processes, marks }: Survey): Finding[] {
  const init = processes.get(1);
  return [...processes.values()].flatMap((row): Finding[] => {
    if (row.ppid !== 1 || row.pid === 1 || marks.has(row.pid) || row.sid === init?.sid) return [];
    const signs = [
      isFolderGone(row.pid) && 'the folder that it works in has been removed',
      row.pgid !== row.pid && !processes.has(row.pgid) && 'the leader of its group has ended',
      row.sid !== row.pid && row.sid > 1 && !processes.has(row.sid) && 'the leader of its session has ended',
    ].filter((sign) => sign !== false);
    if (signs.length === 0) return [];
    const evidence = ['its parent has ended (ppid 1)', ...signs, 'missing: a sign that it was ours'];
    return [{ verdict: 'suspect', row, label: undefined, evidence, orphan: undefined }];
  });
}
