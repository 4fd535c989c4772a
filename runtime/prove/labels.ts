import { listLedgers, readLedger } from '../spawn/ledger-file.ts';

/** What owners call their children, by the `NONCE.SEQ` of the child's environment mark. */
export type Labels = ReadonlyMap<string, string>;

/** The labels in the ledgers of a state folder. */
export async function labelsIn(folder: string): Promise<Labels> {
  const labels = new Map<string, string>();
  for (const path of await listLedgers(folder)) {
    for (const { nonce, seq, label } of (await readLedger(path)).children)
      if (label !== null && seq > 0) labels.set(`${nonce}.${seq}`, label);
  }
  return labels;
}
