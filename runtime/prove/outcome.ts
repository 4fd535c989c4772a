import { listeningPorts } from '../process/ports.ts';
import type { Descendant } from './descendants.ts';
import type { BY } from './measure.ts';
import { familyOf } from './family-name.ts';
import type { Labels } from './labels.ts';

/** What the owner's child, and all that descends from it, came to. Children of the same name are one family. */
export interface Family {
  family: string;
  /** Living processes right before the kill. */
  before: number;
  /** Living processes at the end of the wait, those started after the kill included. */
  after: number;
  /** How many of those have a reason to outlive the owner. */
  deliberate: number;
  /** TCP ports that the survivors listen on. */
  ports: number[];
  /** From the kill to the last death in the family; null where nobody died. */
  lastDeathMs: number | null;
  /** Why the deliberate ones outlive the owner. */
  reason: string | null;
}

/** A process that outlived the owner. */
export interface Survivor {
  pid: number;
  family: string;
  command: string;
  ports: number[];
  reason: string | null;
  startedAfterKill: boolean;
}

/** The result of one kill; `owned-spawn prove --json` prints it. */
export interface Outcome {
  version: 1;
  command: string[];
  by: keyof typeof BY;
  families: Family[];
  survivors: Survivor[];
  control: { before: number; after: number };
  verdict: 'clean' | 'survivors' | 'control-touched';
  /** What prove left running, by --leave. */
  left: number[];
}

/** Why a process may outlive the owner: its own mark's reason, else that of the nearest ancestor that has one. */
export function reasonOf({ marks, parent }: Descendant): string | null {
  return marks.findLast(({ why }) => why !== undefined)?.why ?? (parent ? reasonOf(parent) : null);
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/**
 * Counts by family.
 * @param all every descendant ever seen.
 * @param before those that lived right before the kill.
 * @param killedAt in the clock of performance.now().
 * @param labels what the owner calls its children.
 */
export function countFamilies(
  all: readonly Descendant[],
  before: ReadonlySet<Descendant>,
  killedAt: number,
  labels: Labels,
): { families: Family[]; survivors: Survivor[] } {
  const concerned = all.filter((each) => before.has(each) || each.diedAt === undefined);
  const nameOf = (each: Descendant): string => familyOf(each, labels);
  const names = unique(concerned.map(nameOf));
  const alive = concerned.filter(({ diedAt }) => diedAt === undefined);
  const ports = listeningPorts(alive.map(({ row }) => row.pid));
  const survivors = names.flatMap((family) =>
    alive
      .filter((each) => nameOf(each) === family)
      .map((each) => ({
        pid: each.row.pid,
        family,
        command: each.command.join(' '),
        ports: ports.get(each.row.pid) ?? [],
        reason: reasonOf(each),
        startedAfterKill: !before.has(each),
      })),
  );
  const families = names.map((family): Family => {
    const members = concerned.filter((each) => nameOf(each) === family);
    const left = survivors.filter((each) => each.family === family);
    const deaths = members.flatMap(({ diedAt }) => diedAt ?? []);
    const reasons = unique(left.flatMap(({ reason }) => reason ?? []));
    return {
      family,
      before: members.filter((each) => before.has(each)).length,
      after: left.length,
      deliberate: left.filter(({ reason }) => reason !== null).length,
      ports: unique(left.flatMap((each) => each.ports)).sort((a, b) => a - b),
      lastDeathMs: deaths.length > 0 ? Math.round(Math.max(...deaths) - killedAt) : null,
      reason: reasons.join('; ') || null,
    };
  });
  return { families, survivors };
}
