import { groupOf } from '../process/identity.ts';
import { isProcess } from '../process/is-process.ts';
import type { Marked } from '../process/marked.ts';
import { isHere } from '../process/place.ts';
import { descendsFrom } from './escapees.ts';
import { isOwnedRow, type LedgerFile, type LedgerRow } from './ledger-row.ts';
import { DEFAULT_GRACE_MS, type OwnedGroup } from './registry.ts';

/** Something that a dead owner owned, proved to be still the same. */
export interface Orphan extends OwnedGroup {
  readonly proof: 'start time' | 'environment mark';
  readonly argv: string[];
}

/** What is proved to be left of a dead owner's children; `marked` is what listMarked() found. */
export async function orphansOf(ledger: LedgerFile, marked: readonly Marked[]): Promise<Orphan[]> {
  const { owner, children, lastSeq } = ledger;
  if (!owner) return [];
  const orphans = new Map<number, Orphan>();
  const add = (row: LedgerRow, pgid: number, start: string, proof: Orphan['proof']): void => {
    if (orphans.has(pgid) || pgid <= 1) return;
    const { graceMs, argv, escapees, seq, label } = row;
    const extent = pgid === row.pgid ? row.extent : 'group';
    orphans.set(pgid, {
      pgid,
      start,
      graceMs,
      label: label ?? undefined,
      argv,
      extent,
      escapees,
      seq,
      proof,
    });
  };
  // What shares the group of the owner, or ours, cannot be ended by group.
  const shared = [owner.pgid, groupOf(process.pid)];
  const kin = marked.filter(
    ({ row, marks }) => !shared.includes(row.pgid) && marks.some(({ nonce }) => nonce === owner.nonce),
  );
  for (const row of children.filter((each) => isOwnedRow(each) && isHere(each))) {
    if ((await isProcess(row)) === 'yes') add(row, row.pgid, row.start, 'start time');
    if (row.seq === 0) continue;
    for (const { row: member, marks } of kin) {
      if (!descendsFrom(marks, owner.nonce, row.seq)) continue;
      const belongs =
        (row.extent === 'group' && member.pgid === row.pgid) ||
        (row.extent === 'session' && member.sid === row.pgid) ||
        row.escapees === 'kill';
      if (belongs) add(row, member.pgid, member.pgid === row.pgid ? row.start : '', 'environment mark');
    }
  }
  // Started in the owner's last moment: its row was not written any more.
  for (const { row, marks } of kin) {
    const mark = marks.at(-1);
    const isChild = mark?.nonce === owner.nonce && mark.why === undefined && mark.seq > lastSeq;
    if (!isChild || row.pid !== row.pgid) continue;
    const unwritten = { ...owner, pgid: row.pid, argv: [row.comm], graceMs: DEFAULT_GRACE_MS, seq: mark.seq };
    add(unwritten, row.pid, row.start, 'environment mark');
  }
  return [...orphans.values()];
}
