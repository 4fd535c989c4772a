import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Changes } from './changes.ts';
import type { Finding } from './finding.ts';

interface Place {
  file: string;
  line: number;
  endLine?: number;
}

/** Where a finding can be changed: its own lines, and the steps that lead to what decides. */
const placesOf = (finding: Finding): Place[] => [finding, ...(finding.path ?? [])];

/**
 * The findings that changes are to answer for: a changed line is that of the finding or of a step of its path, or the
 * excuse above one went. A file that does not parse answers for any change of it; one that could not be checked, always.
 *
 * @param base the folder that the findings' files are relative to
 */
export function findingsSince(findings: readonly Finding[], base: string, changes: Changes): Finding[] {
  // As git names it.
  const root = realpathSync(base);
  const changesOf = (file: string): ReturnType<Changes> => changes(resolve(root, file));
  const bare = bareLines(findings, changesOf);
  const isChanged = ({ file, line, endLine = line }: Place): boolean => {
    const changed = changesOf(file);
    if (changed === undefined || changed === 'all') return changed === 'all';
    return (
      bare.get(file)?.has(line) === true ||
      changed.lines.some(([first, last]) => first <= endLine && line <= last)
    );
  };
  return findings.filter((finding) => {
    if (finding.ruleId === null)
      return finding.messageId !== 'unparsable' || changesOf(finding.file) !== undefined;
    return placesOf(finding).some(isChanged);
  });
}

/** The lines of findings and steps that come next below an excuse that went, by file. */
function bareLines(
  findings: readonly Finding[],
  changesOf: (file: string) => ReturnType<Changes>,
): Map<string, Set<number>> {
  const lines = new Map<string, number[]>();
  for (const { file, line } of findings.flatMap(placesOf))
    lines.set(file, [...(lines.get(file) ?? []), line]);
  return new Map(
    [...lines].map(([file, all]) => {
      const changed = changesOf(file);
      const excuses = changed === undefined || changed === 'all' ? [] : changed.excuses;
      return [file, new Set(excuses.map((at) => Math.min(...all.filter((line) => line > at))))];
    }),
  );
}
