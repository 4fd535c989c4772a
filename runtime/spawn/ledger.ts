import { createHash } from 'node:crypto';
import { appendFile, appendFileSync, mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers';
import { readStat } from '../process/identity.ts';
import { place } from '../process/place.ts';
import { compactFile, mayLive } from './ledger-file.ts';
import { LEDGER_VERSION, type LedgerRow } from './ledger-row.ts';
import { redact } from './redact.ts';
import { registry, warnOnce, type OwnedGroup } from './registry.ts';
import { stateFolder } from './state-folder.ts';

/** The owner's side of its ledger: one file a thread, which nobody else writes. */
export interface Ledger {
  path: string;
  /** What all rows share. */
  common: Omit<LedgerRow, 'event' | 'row' | keyof RowFields>;
  /** Rows that no file has yet, as what makes them: a row is worded off the hot path. */
  waiting: (() => LedgerRow)[];
  isWriting: boolean;
  /** A write failed, perhaps in the middle of a line. */
  isTorn: boolean;
  rows: number;
  bytes: number;
  /** At which size it is compacted next. */
  compactAt: number;
  /** It has rows that matter after our end: children that outlive us. */
  mustStay: boolean;
}

interface RowFields {
  pid: number;
  pgid: number;
  start: string;
  seq: number;
  label: string | null;
  why: string | null;
  argv: string[];
  cwd: string;
  graceMs: number;
  extent: LedgerRow['extent'];
  escapees: LedgerRow['escapees'];
  stdout: string | null;
  stderr: string | null;
  at: number;
}

/** What is known of a child at its start. */
export type ChildFields = Partial<Omit<RowFields, 'argv'>> &
  Pick<OwnedGroup, 'pgid' | 'start'> & { argv?: readonly string[] };

const FIRST_COMPACTION = 256 * 1024;
/** Rows kept in memory while no file takes them. */
const MOST_WAITING = 2000;
/** Rows that are worded in one turn of the loop: about two milliseconds. */
const ROWS_A_WRITE = 50;

/** The application: OWNED_SPAWN_APP, else the real path of the entry file; a program without one is its interpreter. */
export function application(): string {
  if (process.env.OWNED_SPAWN_APP) return process.env.OWNED_SPAWN_APP;
  const entry = process.argv[1] ?? process.execPath;
  try {
    return realpathSync(entry);
  } catch {
    return entry;
  }
}

/** With what the names of an application's ledgers begin. */
export const ledgerPrefix = (app: string): string =>
  `${createHash('sha256').update(app).digest('hex').slice(0, 12)}-`;

/**
 * Opens this thread's ledger with a row about the owner, once: from then on a later run of the application can tell by
 * the environment marks what this one left. Never throws: without a ledger, spawning goes on.
 */
export function openLedger(): Ledger | undefined {
  if (registry.ledger !== undefined) return registry.ledger ?? undefined;
  registry.ledger = null;
  const folder = folderOrRoot();
  const app = application();
  const ledger: Ledger = {
    path: join(folder, `${ledgerPrefix(app)}${process.pid}-${registry.nonce}.jsonl`),
    common: {
      version: LEDGER_VERSION,
      ownerPid: process.pid,
      ownerStart: readStat('self')?.start ?? '',
      nonce: registry.nonce,
      app,
      ...place(),
    },
    waiting: [],
    isWriting: false,
    isTorn: false,
    rows: 0,
    bytes: 0,
    compactAt: FIRST_COMPACTION,
    mustStay: false,
  };
  const text = textOf([
    toRow(ledger, 'owner', {
      pid: process.pid,
      pgid: readStat('self')?.pgid ?? process.pid,
      start: ledger.common.ownerStart,
      argv: process.argv,
    }),
  ]);
  try {
    makeFolder(folder);
    // Exclusive: it must not be a link that somebody laid there.
    appendFileSync(ledger.path, text, { flag: 'ax', mode: 0o600 });
  } catch (error) {
    warn(folder, error);
    return undefined;
  }
  ledger.bytes = text.length;
  registry.ledger = ledger;
  process.on('exit', () => {
    tidy(ledger);
  });
  return ledger;
}

/** Adds a row soon: the call itself costs nothing and cannot fail. */
export function record(event: LedgerRow['event'], fields: ChildFields): void {
  const ledger = openLedger();
  if (!ledger || ledger.waiting.length >= MOST_WAITING) return;
  const [row, at] = [++ledger.rows, Date.now()];
  ledger.waiting.push(() => toRow(ledger, event, { ...fields, at }, row));
  if (!ledger.isWriting) setImmediate(write, ledger);
}

/** Adds a row now, by one small write: for what must be known however soon this process ends. */
export function recordNow(event: LedgerRow['event'], fields: ChildFields): void {
  const ledger = openLedger();
  if (!ledger) return;
  ledger.mustStay = true;
  const row = toRow(ledger, event, fields);
  const text = textOf([row]);
  // A compaction that runs has read the file already: again after it. A row that is there twice does no harm.
  if (ledger.isWriting) ledger.waiting.push(() => row);
  try {
    // In a line of its own, whatever the asynchronous writer is at.
    appendFileSync(ledger.path, `\n${text}`, { mode: 0o600 });
    ledger.bytes += text.length + 1;
  } catch (error) {
    warn(ledger.path, error);
  }
}

function toRow(
  ledger: Ledger,
  event: LedgerRow['event'],
  fields: ChildFields,
  row = ++ledger.rows,
): LedgerRow {
  const { argv = [], cwd, ...rest } = fields;
  return {
    ...ledger.common,
    event,
    row,
    pid: fields.pgid,
    seq: 0,
    label: null,
    why: null,
    graceMs: 0,
    extent: 'group',
    escapees: 'ignore',
    stdout: null,
    stderr: null,
    at: Date.now(),
    ...rest,
    argv: redact(argv),
    cwd: cwd ?? currentFolder(),
  };
}

const textOf = (rows: readonly LedgerRow[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function write(ledger: Ledger): void {
  if (ledger.isWriting || ledger.waiting.length === 0) return;
  const batch = ledger.waiting.splice(0, ROWS_A_WRITE);
  ledger.isWriting = true;
  const text = (ledger.isTorn ? '\n' : '') + textOf(batch.map((make) => make()));
  appendFile(ledger.path, text, { mode: 0o600 }, (error) => {
    ledger.isTorn = error !== null;
    if (error) {
      // A full disk may have room again at the next row.
      ledger.waiting = [...batch, ...ledger.waiting].slice(0, MOST_WAITING);
      ledger.isWriting = false;
      warn(ledger.path, error);
      return;
    }
    ledger.bytes += text.length;
    if (ledger.bytes < ledger.compactAt) next(ledger);
    else void compact(ledger);
  });
}

function next(ledger: Ledger): void {
  ledger.isWriting = false;
  write(ledger);
}

/** Drops the rows of children that have ended. Rows that come meanwhile wait. */
async function compact(ledger: Ledger): Promise<void> {
  try {
    // A group is ours for as long as anybody lives in it.
    ledger.bytes = await compactFile(ledger.path, (row) => registry.groups.has(row.pgid) || mayLive(row));
  } catch {
    // It stays large until the next time.
  }
  ledger.compactAt = Math.max(FIRST_COMPACTION, 2 * ledger.bytes);
  next(ledger);
}

/** At the end of this process: a ledger that names nobody is of no use to anybody. */
function tidy({ path, mustStay }: Ledger): void {
  if (mustStay || registry.groups.size > 0) return;
  try {
    unlinkSync(path);
  } catch {
    // Gone, or not to be removed: the next run sees to it.
  }
}

/** Not mkdir's own `recursive`: it never returns where a folder says ENOENT to whatever is made in it, as those of /proc do (tried on Node 20). */
function makeFolder(folder: string): void {
  const make = (): void => {
    mkdirSync(folder, { mode: 0o700 });
  };
  try {
    make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    make();
  }
}

function folderOrRoot(): string {
  try {
    return stateFolder();
  } catch {
    return '/'; // no home: the write that follows fails, and the warning says so
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ''; // it was removed
  }
}

function warn(where: string, error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException;
  warnOnce(
    'OWNED_SPAWN_LEDGER',
    `owned-spawn: no ledger in ${where}: ${code ?? message}. Spawning goes on, but if this process and its supervisor are killed together, the next run does not find what they leave; OWNED_SPAWN_STATE_DIR names another folder.`,
  );
}
