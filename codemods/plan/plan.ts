import type { Edit, NoteCode } from 'eslint-plugin-owned-spawn/api';
import type { Reason } from '../recipes/reasons.ts';

/** What to do with sites whose child seems meant to outlive its owner. */
export type Outliving = 'leave' | 'own' | 'detach';

export interface PlannedEdit extends Edit {
  /** The text that is there before the edit. */
  old: string;
  /** The sets that need the edit; none for what serves the whole project, such as a dependency. */
  sets?: readonly string[];
}

/** One place where a process is started, and what becomes of it; lines and columns count from 1. */
export interface PlannedSite {
  status: 'migrate' | 'left' | 'suppressed';
  line: number;
  column: number;
  /** The scope, `Class.method`; empty at the top level. */
  symbol: string;
  /** `child_process.spawn`; empty where the file could not be read as code. */
  callee: string;
  reason?: Reason;
  short?: string;
  long?: string;
  /** What a person should look at although the site is migrated. */
  notes?: NoteCode[];
  /** The group kills of its child that stay (`group-kill-kept`). */
  kept?: { line: number; column: number }[];
  /** What it is migrated with, all or nothing: a name that stays the same from plan to plan. */
  set?: string;
}

/** Why a set is not to be migrated although it could be: said by a person, or by a gate. */
export interface Refusal {
  reason: Reason;
  /** Instead of the reason's own line. */
  text?: string;
}

export interface FilePlan {
  /** Of the file's bytes, in hexadecimal. */
  sha256: string;
  /** In the order of the text; offsets count UTF-16 units without a byte order mark. */
  edits: PlannedEdit[];
  sites: PlannedSite[];
}

/** A module with many blocking calls that a host could run whole, so that each call of an export is one round trip. */
export interface HostProposal {
  module: string;
  /** How many calls of it block. */
  sites: number;
  /** What its users would write instead of importing it; `calls` of them would be awaited. */
  edits: { file: string; line: number; old: string; text: string; calls: number }[];
}

/** Everything that a migration will do, as data: `plan.json`. */
export interface Plan {
  version: 1;
  /** The name of the recipe that made it. */
  recipe: string;
  /** What a person said to sets; a run with the same plan file keeps to it. */
  decisions?: Record<string, 'yes' | 'no'>;
  /** By path, relative to the folder that the command was given, with `/`; in the order of the paths. */
  files: Record<string, FilePlan>;
  /** What is proposed and not done. */
  proposals?: HostProposal[];
}

/** Counts of a plan's sites. */
export interface Totals {
  migrate: number;
  left: number;
  suppressed: number;
  /** Files with edits. */
  files: number;
  /** Sites left, by reason, most frequent first. */
  reasons: Record<string, number>;
}

/** The counts of a plan; reasons that hold most sites come first. */
export function totalsOf({ files }: Plan): Totals {
  const sites = Object.values(files).flatMap((file) => file.sites);
  const of = (status: PlannedSite['status']): PlannedSite[] => sites.filter((site) => site.status === status);
  const counts = new Map<string, number>();
  for (const { reason = '' } of of('left')) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    migrate: of('migrate').length,
    left: of('left').length,
    suppressed: of('suppressed').length,
    files: Object.values(files).filter(({ edits }) => edits.length > 0).length,
    reasons: Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
  };
}
