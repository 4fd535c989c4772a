import { unifiedDiff } from 'eslint-plugin-owned-spawn/api';
import { spliced } from '../apply/changes.ts';
import { totalsOf, type HostProposal, type Plan, type PlannedSite, type Totals } from '../plan/plan.ts';
import type { Planned } from '../plan/project.ts';
import { noteText, REASONS } from '../recipes/reasons.ts';

/** A site with its file. */
export interface PlacedSite extends PlannedSite {
  file: string;
}

/** The edits of a file as a unified diff. */
export interface FileDiff {
  file: string;
  diff: string;
}

/** What is migrated together, all or nothing. */
export interface SetOverview {
  name: string;
  sites: PlacedSite[];
  /** Notes of its sites, in words. */
  notes: string[];
  /** The set's own edits, as a unified diff for each file. */
  diffs: FileDiff[];
}

/** A plan as a person reads it: the same for every kind of report. */
export interface Overview {
  plan: Plan;
  written: boolean;
  totals: Totals;
  sets: SetOverview[];
  /** All edits of each file. */
  diffs: FileDiff[];
  /** Edits that no set needs alone: a dependency. */
  shared: FileDiff[];
  /** Sites that are not migrated, in the order of their places. */
  left: PlacedSite[];
  /** By reason, most frequent first, with what it means. */
  reasons: { reason: string; count: number; short: string; long: string }[];
  files: { file: string; migrate: number; left: number; suppressed: number }[];
  /** Modules that a host could run whole, in words and as diffs. */
  hosts: { module: string; text: string; diffs: FileDiff[] }[];
}

export const HOSTS_TITLE = 'Modules to host whole';

/** Why a host is proposed only. */
export const HOSTS_NOTE =
  'owned-spawn/offload runs such a module in a thread of its own, where its calls may block: one edit for each import, and `await` at each call. Proposed only, for nobody can see here whether it fits: what is handed in and given back is copied (no functions, no objects of classes), and the variables of the module are there once more.';

export const placeText = ({ file, line, column }: PlacedSite): string => `${file}:${line}:${column}`;

/** Sums a plan up. */
export function overviewOf({ plan, texts }: Planned, written: boolean): Overview {
  const entries = Object.entries(plan.files);
  const sites = entries.flatMap(([file, { sites: each }]) => each.map((site) => ({ ...site, file })));
  const diffs = (isMeant: (sets: readonly string[]) => boolean): FileDiff[] =>
    [...texts].flatMap(([file, { text }]) => {
      const edits = (plan.files[file]?.edits ?? []).filter(({ sets = [] }) => isMeant(sets));
      return edits.length === 0 ? [] : [{ file, diff: unifiedDiff(file, text, spliced(text, edits)) }];
    });
  const names = [...new Set(entries.flatMap(([, { edits }]) => edits.flatMap(({ sets = [] }) => sets)))];
  const totals = totalsOf(plan);
  return {
    plan,
    written,
    totals,
    sets: names.map((name) => {
      const its = sites.filter(({ set }) => set === name);
      return {
        name,
        sites: its,
        notes: [...new Set(its.flatMap((site) => (site.notes ?? []).map((note) => noteText(note, site))))],
        diffs: diffs((sets) => sets.includes(name)),
      };
    }),
    diffs: diffs(() => true),
    shared: diffs((sets) => sets.length === 0),
    left: sites.filter(({ status }) => status !== 'migrate'),
    reasons: Object.entries(totals.reasons).map(([reason, count]) => ({
      reason,
      count,
      ...REASONS[reason as keyof typeof REASONS],
    })),
    files: entries
      .map(([file, { sites: its }]) => ({ file, ...countsOf(its) }))
      .filter(({ migrate, left, suppressed }) => migrate + left + suppressed > 0),
    hosts: (plan.proposals ?? []).map(hostOf),
  };
}

function hostOf({ module, sites, edits }: HostProposal): Overview['hosts'][number] {
  const calls = edits.reduce((sum, edit) => sum + edit.calls, 0);
  const lines = (text: string, mark: string): string => text.replace(/^/gm, mark);
  return {
    module,
    text: `${sites} blocking calls behind ${calls} ${calls === 1 ? 'call' : 'calls'} of it`,
    diffs: edits.map(({ file, line, old, text }) => ({
      file,
      diff: `--- ${file}:${line}\n${lines(old, '-')}\n${lines(text, '+')}\n`,
    })),
  };
}

function countsOf(sites: readonly PlannedSite[]): { migrate: number; left: number; suppressed: number } {
  const of = (status: PlannedSite['status']): number => sites.filter((site) => site.status === status).length;
  return { migrate: of('migrate'), left: of('left'), suppressed: of('suppressed') };
}
