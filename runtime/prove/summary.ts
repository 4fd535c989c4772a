import type { Family, Outcome } from './outcome.ts';

/** A family over several runs. */
export interface FamilySummary {
  family: string;
  /** The most in one run. */
  before: number;
  /** The most in one run. */
  after: number;
  /** In how many runs something of it outlived the owner without a reason. */
  leakyRuns: number;
  ports: number[];
  /** Over the runs in which somebody died; null where nobody did. */
  medianDeathMs: number | null;
  lastDeathMs: number | null;
  reason: string | null;
}

/** The results of several kills; `owned-spawn prove --runs N --json` prints it. */
export interface Summary extends Pick<Outcome, 'version' | 'command' | 'by' | 'verdict'> {
  runs: number;
  /** In how many runs something outlived the owner without a reason. */
  leakyRuns: number;
  families: FamilySummary[];
  /** Each run, in order. */
  outcomes: Outcome[];
}

/** Sums runs up; the verdict is the worst of them. */
export function summarize(outcomes: readonly Outcome[]): Summary {
  const [first] = outcomes;
  if (!first) throw new Error('no run');
  const all = outcomes.flatMap(({ families }) => families);
  const names = [...new Set(all.map(({ family }) => family))];
  const verdicts = outcomes.map(({ verdict }) => verdict);
  return {
    version: 1,
    command: first.command,
    by: first.by,
    runs: outcomes.length,
    leakyRuns: outcomes.filter(({ families }) => families.some(isLeaky)).length,
    families: names.map((name) => sum(all.filter(({ family }) => family === name))),
    verdict:
      (['control-touched', 'survivors'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'clean',
    outcomes: [...outcomes],
  };
}

const isLeaky = ({ after, deliberate }: Family): boolean => after > deliberate;

function sum(families: readonly Family[]): FamilySummary {
  const deaths = families.flatMap(({ lastDeathMs }) => lastDeathMs ?? []).sort((a, b) => a - b);
  return {
    family: families[0]?.family ?? '',
    before: Math.max(...families.map(({ before }) => before)),
    after: Math.max(...families.map(({ after }) => after)),
    leakyRuns: families.filter(isLeaky).length,
    ports: [...new Set(families.flatMap(({ ports }) => ports))].sort((a, b) => a - b),
    medianDeathMs: deaths[Math.floor(deaths.length / 2)] ?? null,
    lastDeathMs: deaths.at(-1) ?? null,
    reason: families.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}
