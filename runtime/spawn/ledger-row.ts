import type { Place } from '../process/place.ts';

export const LEDGER_VERSION = 1;

/** How much of a child's kin is owned: its process group, the process alone, or every group of its session. */
export type Extent = 'group' | 'process' | 'session';

/** What becomes of descendants that left what is owned (setsid, daemons); they are known by the environment mark, on Linux. */
export type Escapees = 'ignore' | 'report' | 'kill';

/** One line of a ledger. Each says everything, so that one that is lost takes no other with it. */
export interface LedgerRow extends Place {
  version: typeof LEDGER_VERSION;
  /** `owner` opens the file, `supervisor` names the owner's supervisor, `adopt` is a child that others started, `release` ends the ownership on purpose. */
  event: 'owner' | 'supervisor' | 'spawn' | 'adopt' | 'release';
  /** Counts the owner's rows: of two about one process, the later one holds. Lines may lie in another order. */
  row: number;
  pid: number;
  pgid: number;
  /** Start time in clock ticks since boot; empty where it is unknown. */
  start: string;
  ownerPid: number;
  ownerStart: string;
  /** Of the environment marks of the owner's children. */
  nonce: string;
  /** Of the child's own mark; 0 where it has none. */
  seq: number;
  /** The application: what the next owner must be to end what this one left. */
  app: string;
  label: string | null;
  /** Why the child outlives its owner; null for an owned one. */
  why: string | null;
  /** Without secrets. */
  argv: string[];
  cwd: string;
  graceMs: number;
  extent: Extent;
  escapees: Escapees;
  /** The files that the child writes to, where they are files. */
  stdout: string | null;
  stderr: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** A ledger as it was read. */
export interface LedgerFile {
  path: string;
  /** Whose it is: from any of its rows. Undefined where none can be read. */
  owner: LedgerRow | undefined;
  supervisor: LedgerRow | undefined;
  /** The last row about each child, those released on purpose included. */
  children: LedgerRow[];
  /** The highest number that a child of this owner had when it wrote its last row. */
  lastSeq: number;
  /** Lines that are no rows, counted from 1. */
  corrupt: number[];
  /** Why the file says nothing to us. */
  problem: string | undefined;
}

/** Whether the row is about a child that ends with its owner. */
export const isOwnedRow = ({ event, why }: LedgerRow): boolean => event !== 'release' && why === null;

const TYPES: Readonly<Record<string, 'number' | 'string'>> = {
  row: 'number',
  pid: 'number',
  pgid: 'number',
  ownerPid: 'number',
  seq: 'number',
  graceMs: 'number',
  event: 'string',
  start: 'string',
  ownerStart: 'string',
  nonce: 'string',
  app: 'string',
  boot: 'string',
  pidNamespace: 'string',
  cwd: 'string',
  extent: 'string',
  escapees: 'string',
};

function isRow(value: object): value is LedgerRow {
  const row = value as LedgerRow;
  const isTyped = Object.entries(TYPES).every(([name, type]) => typeof row[name as keyof LedgerRow] === type);
  if (!isTyped || !Array.isArray(row.argv)) return false;
  // An owner may be PID 1; 0 and 1 are numbers that no child may be signalled by.
  const isOwner = row.event === 'owner';
  return [row.pid, row.pgid].every((id) => Number.isInteger(id) && id > (isOwner ? 0 : 1));
}

/** One line of a ledger as it was read: a row, or nothing that can be read; `newer` where its version is not known yet. */
export interface LedgerLine {
  text: string;
  row?: LedgerRow | undefined;
  newer?: number | undefined;
}

/** Undefined for a line that was torn by a kill, a full disk or an editor. */
function objectIn(line: string): { version?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a line. */
export function parseLine(text: string): LedgerLine {
  const value = objectIn(text);
  const version = value?.version;
  if (typeof version === 'number' && version > LEDGER_VERSION) return { text, newer: version };
  return { text, row: value && version === LEDGER_VERSION && isRow(value) ? value : undefined };
}

/** What the lines of a ledger say: passes over what is no row, and refuses rows of a version that is not known yet. */
export function ledgerOf(path: string, lines: readonly LedgerLine[]): LedgerFile {
  const corrupt: number[] = [];
  let problem: string | undefined;
  for (const [at, { text, row, newer }] of lines.entries()) {
    if (newer !== undefined)
      problem = `is of version ${newer}, and this owned-spawn reads up to ${LEDGER_VERSION}`;
    else if (!row && text !== '') corrupt.push(at + 1);
  }
  const rows = lines.flatMap(({ row }) => row ?? []).sort((a, b) => a.row - b.row);
  const last = new Map<string, LedgerRow>();
  for (const row of rows) {
    if (row.event !== 'owner' && row.event !== 'supervisor') last.set(`${row.pid}:${row.start}`, row);
  }
  return {
    path,
    owner: rows[0],
    supervisor: rows.findLast(({ event }) => event === 'supervisor'),
    children: [...last.values()],
    lastSeq: lastSeqOf(rows),
    corrupt,
    problem,
  };
}

/** The highest number of a child in rows; 0 where there is none. */
export const lastSeqOf = (rows: readonly LedgerRow[]): number =>
  rows.reduce((highest, { seq }) => Math.max(highest, seq), 0);
