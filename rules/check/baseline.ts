import { compare, type Finding } from './finding.ts';
import { findingKey, ruleOf } from './finding-key.ts';

/** A finding that was there when the baseline was made. */
export interface BaselineEntry {
  /** Relative to the folder of the baseline, with `/`. */
  file: string;
  /** `owned-spawn/<rule>`, or `owned-spawn/unparsable`. */
  rule: string;
  symbol: string;
  callee: string | null;
  /** Which of the findings of one file, rule, scope and API, counted from 1. */
  ordinal: number;
  /** A hash of the line's text: it tells a renamed file from a new one, and which of several findings is new. */
  text: string;
}

/** A finding and the entry that would stand for it. */
interface Candidate {
  finding: Finding;
  entry: BaselineEntry;
}

/** What a run knows of the files that a baseline names. */
export interface BaselineScope {
  /** Whether all that there is to find in the file was found. */
  isChecked: (file: string) => boolean;
  /** Whether the file is gone from where the run looked. */
  isGone: (file: string) => boolean;
}

export interface Compared {
  /** What the baseline does not know. */
  fresh: Finding[];
  /** The baseline without what is gone; in the order of the file. */
  entries: BaselineEntry[];
}

/** Whether a finding may stand in a baseline: a file that cannot be read, or on which a rule broke down, is no debt. */
const isDebt = ({ ruleId, messageId }: Finding): boolean => ruleId !== null || messageId === 'unparsable';

/**
 * The entries for findings, in the order of their places.
 *
 * @param fileOf the finding's file as the baseline names it
 * @param textOf a hash of the text of the finding's line
 */
export function candidates(
  findings: readonly Finding[],
  fileOf: (finding: Finding) => string,
  textOf: (finding: Finding) => string,
): Candidate[] {
  const counts = new Map<string, number>();
  return findings.filter(isDebt).map((finding) => {
    const file = fileOf(finding);
    const group = `${file} ${findingKey(finding)}`;
    const ordinal = (counts.get(group) ?? 0) + 1;
    counts.set(group, ordinal);
    const { symbol, callee } = finding;
    return {
      finding,
      entry: { file, rule: ruleOf(finding), symbol, callee, ordinal, text: textOf(finding) },
    };
  });
}

/** Parts the findings that a baseline knows from those that are new. An entry stands for one finding and no other. */
export function compareWithBaseline(
  findings: readonly Finding[],
  found: readonly Candidate[],
  baseline: readonly BaselineEntry[],
  { isChecked, isGone }: BaselineScope,
): Compared {
  const [open, unknown] = [new Set(baseline), new Set(found)];
  const pair = (
    keyOf: (entry: BaselineEntry) => string,
    isOpen: (entry: BaselineEntry) => boolean = () => true,
    isUnknown = isOpen,
  ): void => {
    const pool = new Map<string, BaselineEntry[]>();
    for (const entry of open) {
      if (isOpen(entry)) pool.set(keyOf(entry), [...(pool.get(keyOf(entry)) ?? []), entry]);
    }
    for (const candidate of unknown) {
      const entry = isUnknown(candidate.entry) ? pool.get(keyOf(candidate.entry))?.shift() : undefined;
      if (entry && open.delete(entry)) unknown.delete(candidate);
    }
  };
  const groupOf = ({ rule, symbol, callee }: BaselineEntry): unknown[] => [rule, symbol, callee];
  // The same text first: of three alike, the new one is to show, not the last.
  pair((entry) => JSON.stringify([entry.file, groupOf(entry), entry.text]));
  pair((entry) => JSON.stringify([entry.file, groupOf(entry)]));
  // A file that was renamed: its findings turn up in one that the baseline has never seen.
  const files = new Set(baseline.map(({ file }) => file));
  pair(
    (entry) => JSON.stringify([groupOf(entry), entry.text]),
    ({ file }) => isGone(file),
    ({ file }) => !files.has(file),
  );
  const isNew = new Set([...unknown].map(({ finding }) => finding));
  const entries = [
    ...found.filter((candidate) => !unknown.has(candidate)).map(({ entry }) => entry),
    ...[...open].filter(({ file }) => !isChecked(file) && !isGone(file)),
  ];
  return {
    fresh: findings.filter((finding) => !isDebt(finding) || isNew.has(finding)),
    entries: numbered(entries),
  };
}

/** In a stable order; ordinals close up where one is gone. */
function numbered(entries: readonly BaselineEntry[]): BaselineEntry[] {
  const counts = new Map<string, number>();
  return [...entries]
    .sort(
      (a, b) =>
        compare(a.file, b.file) ||
        compare(a.rule, b.rule) ||
        compare(a.symbol, b.symbol) ||
        compare(a.callee ?? '', b.callee ?? '') ||
        a.ordinal - b.ordinal,
    )
    .map((entry) => {
      const group = JSON.stringify([entry.file, entry.rule, entry.symbol, entry.callee]);
      const ordinal = (counts.get(group) ?? 0) + 1;
      counts.set(group, ordinal);
      return { ...entry, ordinal };
    });
}
