import { commandLines } from '../process/command-lines.ts';
import { isLiving, listProcesses, readStat, type ProcessRow } from '../process/identity.ts';
import { markTexts } from '../process/mark-texts.ts';
import { markNeedle, parseMarks, type Mark } from '../process/mark.ts';

/** A process that the owner started, directly or through others. */
export interface Descendant {
  /** As it was last seen. */
  row: ProcessRow;
  /** The command line as words, as last seen; empty where it could not be read. */
  command: string[];
  /** Absent for a child of the owner and for one whose parent had gone when it was first seen. */
  parent: Descendant | undefined;
  /** What the environment says beyond the owner's own mark, the outermost owner first. */
  marks: Mark[];
  /** When it was first seen dead, in the clock of performance.now(). */
  diedAt?: number;
}

/** Follows one owner's descendants, dead ones included, for as long as it is asked to. */
export interface Descendants {
  owner: Descendant;
  /** In the order in which they were first seen, without the owner. */
  all: Descendant[];
  /** Reads the whole process table: finds new descendants, notes deaths. */
  scan: () => void;
  /** Looks at the known ones only: cheap enough to time a death by. */
  check: () => void;
  /** Without the owner. */
  living: () => Descendant[];
}

const isSame = (a: ProcessRow, b: ProcessRow | undefined): b is ProcessRow =>
  a.pid === b?.pid && a.start === b.start;

/** The marks that come after the owner's own: those before it belong to whoever started us. */
function marksAfter(text: string | undefined, own: string): Mark[] {
  const marks = parseMarks(text);
  return marks.slice(marks.findIndex((mark) => markNeedle(mark) === own) + 1 || marks.length);
}

/**
 * Follows the descendants of a process. One is known by its parent, by a group or session that a known one is in, or by
 * the environment mark, which survives setsid and double forks; and from then on by pid and start time.
 * @param pid of the owner, which must lead a session of its own.
 * @param needle markNeedle of the mark that the owner was started with.
 */
export function followDescendants(pid: number, needle: string): Descendants {
  const row = readStat(pid) ?? listProcesses().find((each) => each.pid === pid);
  if (row === undefined) throw new Error(`no process ${pid}`);
  const owner: Descendant = { row, command: [], parent: undefined, marks: [] };
  const all: Descendant[] = [];
  const alive = (): Descendant[] => [owner, ...all].filter(({ diedAt }) => diedAt === undefined);
  const note = (descendant: Descendant, now: ProcessRow | undefined): void => {
    if (isSame(descendant.row, now) && isLiving(now)) descendant.row = now;
    else descendant.diedAt = performance.now();
  };

  function scan(): void {
    const table = new Map(listProcesses().map((each) => [each.pid, each]));
    // What dies between two scans leaves its group and session to be recognised by in this one.
    const parties = alive().map((each) => each.row);
    const byPid = new Map(alive().map((each) => [each.row.pid, each]));
    for (const each of alive()) {
      note(each, table.get(each.row.pid));
      parties.push(each.row);
    }
    const groups = new Set(parties.map(({ pgid }) => pgid));
    const sessions = new Set(parties.map(({ sid }) => sid).filter((sid) => sid > 1));

    // What is older than the owner is not its child, whatever its pid.
    let others = [...table.values()].filter(
      (each) =>
        isLiving(each) &&
        each.pid !== process.pid &&
        !isSame(each, byPid.get(each.pid)?.row) &&
        Number(each.start) >= Number(owner.row.start),
    );
    const pids = [...alive().map((each) => each.row.pid), ...others.map((each) => each.pid)];
    const marks = markTexts(pids);
    for (;;) {
      const found = others.filter(
        (each) =>
          byPid.has(each.ppid) ||
          groups.has(each.pgid) ||
          sessions.has(each.sid) ||
          marks.get(each.pid)?.includes(needle),
      );
      if (found.length === 0) break;
      // Parents first, so that a child finds its own.
      const next = found.filter(({ ppid }) => !found.some(({ pid: other }) => other === ppid));
      others = others.filter((each) => !next.includes(each));
      for (const each of next) {
        const parent = byPid.get(each.ppid) ?? byPid.get(each.pgid) ?? byPid.get(each.sid);
        const descendant: Descendant = {
          row: each,
          command: [],
          parent: parent === owner ? undefined : parent,
          marks: [],
        };
        all.push(descendant);
        byPid.set(each.pid, descendant);
        groups.add(each.pgid);
        if (each.sid > 1) sessions.add(each.sid);
      }
    }

    // A child seen between fork and exec still shows its parent's command and marks: read them anew each time.
    const commands = commandLines(alive().map((each) => each.row.pid));
    for (const each of alive()) {
      each.command = commands.get(each.row.pid) ?? each.command;
      const text = marks.get(each.row.pid);
      if (text !== undefined) each.marks = marksAfter(text, needle);
    }
  }

  return {
    owner,
    all,
    scan,
    check() {
      // Without /proc one look costs a ps(1): scan() has to do.
      if (process.platform !== 'linux') return;
      for (const each of alive()) note(each, readStat(each.row.pid));
    },
    living: () => all.filter(({ diedAt }) => diedAt === undefined),
  };
}
