import { commandLines } from '../process/command-lines.ts';
import { isLiving, listProcesses, type ProcessRow } from '../process/identity.ts';
import { parseMarks, type Mark } from '../process/mark.ts';
import { markTexts } from '../process/mark-texts.ts';
import { listLedgers, readLedger } from '../spawn/ledger-file.ts';
import type { LedgerFile } from '../spawn/ledger-row.ts';
import { ownerStateOf, type OwnerState } from '../spawn/owner-state.ts';

/** A ledger, and whether its owner lives. */
export interface SurveyedLedger extends LedgerFile {
  ownerState: OwnerState;
}

/** All that is known of this machine's processes at one moment. */
export interface Survey {
  ledgers: SurveyedLedger[];
  /** Who lives, by pid. */
  processes: Map<number, ProcessRow>;
  /** The outermost owner first; those without marks are left out. */
  marks: Map<number, Mark[]>;
}

/** Reads the ledgers of a state folder, the process table and the environment marks. */
export async function survey(folder: string): Promise<Survey> {
  const ledgers = await Promise.all(
    (await listLedgers(folder)).map(async (path) => {
      const ledger = await readLedger(path);
      return { ...ledger, ownerState: await ownerStateOf(ledger) };
    }),
  );
  const living = listProcesses().filter((row) => isLiving(row) && row.pid !== process.pid);
  const texts = markTexts(living.map(({ pid }) => pid));
  const marks = [...texts].map(([pid, text]) => [pid, parseMarks(text)] as const);
  return {
    ledgers,
    processes: new Map(living.map((row) => [row.pid, row])),
    marks: new Map(marks.filter(([, each]) => each.length > 0)),
  };
}

/** What a process is called: its command line, or its name where that cannot be read. */
export function commandsOf(rows: readonly ProcessRow[]): Map<number, string> {
  const lines = commandLines(rows.map(({ pid }) => pid));
  return new Map(rows.map(({ pid, comm }) => [pid, (lines.get(pid) ?? [`[${comm}]`]).join(' ')]));
}
