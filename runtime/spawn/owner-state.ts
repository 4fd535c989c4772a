import { isProcess } from '../process/is-process.ts';
import { isHere } from '../process/place.ts';
import type { LedgerFile } from './ledger-row.ts';

/** Whether the owner that wrote a ledger lives; `why` says, of the ledger, what keeps that from being told. */
export type OwnerState = { is: 'alive' } | { is: 'gone' } | { is: 'unknown'; why: string };

/** The state of a ledger's owner, told by its pid and start time. */
export async function ownerStateOf({ owner, problem }: LedgerFile): Promise<OwnerState> {
  const unknown = (why: string): OwnerState => ({ is: 'unknown', why });
  if (problem !== undefined) return unknown(problem);
  if (!owner) return unknown('has no row that can be read');
  if (!isHere(owner)) return unknown('was written in another boot or pid namespace');
  const isThere = await isProcess({ pid: owner.ownerPid, start: owner.ownerStart });
  if (isThere === 'unknown') return unknown(`cannot tell whether its owner ${owner.ownerPid} lives`);
  return { is: isThere === 'yes' ? 'alive' : 'gone' };
}
