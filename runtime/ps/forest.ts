import type { Mark } from '../process/mark.ts';
import type { ProcessRow } from '../process/identity.ts';
import type { LedgerRow } from '../spawn/ledger-row.ts';
import type { Survey, SurveyedLedger } from './survey.ts';

/** What a process is to owned-spawn. */
export type Role = 'owner' | 'supervisor' | 'owned' | 'outlives' | 'released' | 'descendant' | 'gone';

/** A process in the tree of owners and children. */
export interface Node {
  role: Role;
  pid: number;
  pgid: number;
  start: string;
  label: string | undefined;
  /** Why it outlives its owner. */
  why: string | undefined;
  /** Of an owner: its application. */
  app: string | undefined;
  children: Node[];
}

/**
 * The trees of owners and what they started: roots are owners that nobody else owns. An owner that has ended is a root of
 * the role `gone` as long as somebody it started lives.
 */
export function forest({ ledgers, processes, marks }: Survey): Node[] {
  const isRow = ({ pid, start }: { pid: number; start: string }): boolean =>
    start !== '' && processes.get(pid)?.start === start;
  const childRows = new Map<number, LedgerRow>();
  const roleOf = new Map<number, Role>();
  const ownerOf = new Map<number, SurveyedLedger>();
  const byNonce = new Map(ledgers.flatMap((ledger) => (ledger.owner ? [[ledger.owner.nonce, ledger]] : [])));
  for (const ledger of ledgers) {
    for (const row of ledger.children.filter(isRow)) {
      childRows.set(row.pid, row);
      ownerOf.set(row.pid, ledger);
      roleOf.set(row.pid, row.event === 'release' ? 'released' : row.why === null ? 'owned' : 'outlives');
    }
    if (ledger.supervisor && isRow(ledger.supervisor)) {
      ownerOf.set(ledger.supervisor.pid, ledger);
      roleOf.set(ledger.supervisor.pid, 'supervisor');
    }
  }
  const owners = new Map(
    ledgers.flatMap(({ owner, ownerState }) =>
      owner && ownerState.is === 'alive' ? [[owner.ownerPid, owner]] : [],
    ),
  );

  const nodes = new Map<number, Node>();
  const gone = new Map<number, Node>();
  const roots: Node[] = [];

  const goneOwner = (pid: number, app: string | undefined): Node => {
    const known = gone.get(pid);
    if (known) return known;
    const node: Node = { ...blank(pid, pid, ''), role: 'gone', app };
    gone.set(pid, node);
    roots.push(node);
    return node;
  };
  // Who has a place in the tree: by ledger, by mark, or by a parent that has one.
  const place = (row: ProcessRow): Node | undefined => {
    const known = nodes.get(row.pid);
    if (known) return known;
    const node = blank(row.pid, row.pgid, row.start);
    const parent = processes.get(row.ppid);
    const mark = marks.get(row.pid)?.at(-1);
    const ledger = ownerOf.get(row.pid) ?? (mark && byNonce.get(mark.nonce));
    const child = childRows.get(row.pid);
    const owner = owners.get(row.pid);
    const parentNode = parent && parent.pid > 1 ? place(parent) : undefined;
    if (!owner && !ledger && !mark && !parentNode) return undefined;
    // A parent that is in the group of its child has placed it on its own way up.
    const placed = nodes.get(row.pid);
    if (placed) return placed;
    nodes.set(row.pid, node);
    const role = roleOf.get(row.pid);
    node.role = role ?? (owner ? 'owner' : 'descendant');
    node.label = child?.label ?? undefined;
    node.why = child?.why ?? mark?.why;
    node.app = owner?.app;
    const siblings = (parentNode ?? above(row, ledger, mark))?.children ?? roots;
    siblings.push(node);
    return node;
  };
  const above = (
    { pid, pgid }: ProcessRow,
    ledger: SurveyedLedger | undefined,
    mark: Mark | undefined,
  ): Node | undefined => {
    // Its parent has ended: it hangs on its group's leader, else on the owner.
    const leader = pgid === pid ? undefined : processes.get(pgid);
    const party = leader && place(leader);
    if (party && !isBelow(party, nodes.get(pid))) return party;
    const ownerPid = ledger?.owner?.ownerPid ?? mark?.ownerPid;
    if (ownerPid === undefined || ownerPid === pid) return undefined;
    const living = processes.get(ownerPid);
    if (living && (!ledger || ledger.ownerState.is === 'alive'))
      return place(living) ?? ownerWithoutLedger(living);
    return goneOwner(ownerPid, ledger?.owner?.app);
  };
  const ownerWithoutLedger = (row: ProcessRow): Node => {
    const node: Node = { ...blank(row.pid, row.pgid, row.start), role: 'owner' };
    nodes.set(row.pid, node);
    roots.push(node);
    return node;
  };

  for (const row of [...processes.values()].sort((a, b) => a.pid - b.pid)) place(row);
  return sorted(roots.filter(({ children, role }) => role !== 'gone' || children.length > 0));
}

/** A leader may be a child of a member of its own group. */
const isBelow = (node: Node, above: Node | undefined): boolean =>
  above !== undefined && (above === node || above.children.some((child) => isBelow(node, child)));

const blank = (pid: number, pgid: number, start: string): Node => ({
  role: 'descendant',
  pid,
  pgid,
  start,
  label: undefined,
  why: undefined,
  app: undefined,
  children: [],
});

function sorted(nodes: Node[]): Node[] {
  nodes.sort((a, b) => a.pid - b.pid);
  for (const { children } of nodes) sorted(children);
  return nodes;
}
