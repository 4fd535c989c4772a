import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Escapees, Extent } from './ledger-row.ts';
import type { Ledger } from './ledger.ts';
import type { Supervisor } from './supervisor.ts';
import type { SweepReport } from './sweep.ts';

/** A process group that ends with this process. */
export interface OwnedGroup {
  readonly pgid: number;
  /** The leader's start time in clock ticks since boot; empty where it is unknown. */
  readonly start: string;
  /** From TERM to KILL, in milliseconds. */
  readonly graceMs: number;
  readonly label: string | undefined;
  /** What is owned: the group; with `group: false` the process `pgid` alone; with `session: true` every group of its session. */
  readonly extent: Extent;
  readonly escapees: Escapees;
  /** Of the environment mark; 0 for a group that others started. */
  readonly seq: number;
}

interface Registry {
  readonly nonce: string;
  seq: number;
  readonly groups: Map<number, OwnedGroup>;
  /** Kept after the release too: it says that pid and group were one at the start. */
  readonly byChild: WeakMap<ChildProcess, OwnedGroup>;
  readonly supervisor: Supervisor;
  /** Undefined before the first child, null where there is none. */
  ledger?: Ledger | null | undefined;
  /** The sweep of what earlier runs left, once it was begun. */
  sweep?: Promise<SweepReport> | undefined;
  /** Warnings already given. */
  readonly warned: Set<string>;
}

const KEY: unique symbol = Symbol.for('owned-spawn/1');

/**
 * This thread's state, shared by every copy of the package that is loaded, ESM or CommonJS. A worker has its own, as its
 * end must end its children. A field added later must be optional, or the key must change.
 */
export const registry: Registry = ((globalThis as unknown as Record<typeof KEY, Registry | undefined>)[
  KEY
] ??= {
  nonce: randomBytes(6).toString('hex'),
  seq: 0,
  groups: new Map(),
  byChild: new WeakMap(),
  supervisor: {
    child: undefined,
    backlog: '',
    idleTimer: undefined,
    idleMs: 30_000,
    isKept: false,
    starts: 0,
    quickDeaths: 0,
    gaveUp: undefined,
  },
  warned: new Set(),
});

export const DEFAULT_GRACE_MS = 3000;

/** A group that others started. */
export const adopted = (pgid: number, start: string, given: Partial<OwnedGroup> = {}): OwnedGroup => ({
  graceMs: DEFAULT_GRACE_MS,
  label: undefined,
  extent: 'group',
  escapees: 'ignore',
  seq: 0,
  ...given,
  pgid,
  start,
});

/** Whether the group is still the registered one: the number may have been registered anew. */
export const isOwned = (group: OwnedGroup): boolean => registry.groups.get(group.pgid) === group;

/** process.emitWarning, once a thread and code. */
export function warnOnce(code: string, message: string): void {
  if (registry.warned.has(code)) return;
  registry.warned.add(code);
  process.emitWarning(message, { code });
}
