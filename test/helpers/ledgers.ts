import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStat } from '../../runtime/process/identity.ts';
import { place } from '../../runtime/process/place.ts';
import { ledgerPrefix } from '../../runtime/spawn/ledger.ts';
import type { LedgerRow } from '../../runtime/spawn/ledger-row.ts';
import type { Family } from './processes.ts';

/** Where the owners of a family keep their ledgers. */
export const stateOf = ({ folder }: Family): string => join(folder, 'state');

/** The ledgers of a family: their names and lines. */
export function ledgersOf(family: Family): { name: string; text: string }[] {
  try {
    return readdirSync(stateOf(family))
      .sort()
      .map((name) => ({ name, text: readFileSync(join(stateOf(family), name), 'utf8') }));
  } catch {
    return [];
  }
}

/** All rows in a family's ledgers. */
export const rowsOf = (family: Family): LedgerRow[] =>
  ledgersOf(family).flatMap(({ text }) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LedgerRow),
  );

/** A row about a living process, as an owner of the application 'app' that has ended would have left it. */
export function rowAbout(pid: number, changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    version: 1,
    event: 'spawn',
    row: 2,
    pid,
    pgid: pid,
    start: readStat(pid)?.start ?? '',
    // Beyond the largest pid: nobody has it.
    ownerPid: 9_000_000,
    ownerStart: '1',
    nonce: '0123456789ab',
    seq: 1,
    app: 'app',
    label: null,
    why: null,
    argv: ['sleep', '300'],
    cwd: '/',
    graceMs: 1000,
    extent: 'group',
    escapees: 'ignore',
    stdout: null,
    stderr: null,
    at: 0,
    ...place(),
    ...changes,
  };
}

let written = 0;

/** Writes a ledger of an application; what is text goes in as it is. */
export function writeLedger(
  family: Family,
  lines: readonly (LedgerRow | object | string)[],
  app = 'app',
): string {
  mkdirSync(stateOf(family), { recursive: true });
  const path = join(stateOf(family), `${ledgerPrefix(app)}${++written}-0123456789ab.jsonl`);
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
