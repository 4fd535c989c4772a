import type { Finding } from './finding.ts';

/** What makes a finding the same one wherever its line moves to: rule, scope and API. */
export const groupKey = ({ ruleId, messageId, symbol, callee }: Finding): string =>
  JSON.stringify([ruleId ?? messageId, symbol, callee]);

/** The key of each finding in its file, the ordinal of those that share a group at its end; in the order given. */
export function keysOf(findings: readonly Finding[]): string[] {
  const counts = new Map<string, number>();
  return findings.map((finding) => {
    const { ruleId, messageId, symbol, callee } = finding;
    const group = `${finding.file} ${groupKey(finding)}`;
    const ordinal = (counts.get(group) ?? 0) + 1;
    counts.set(group, ordinal);
    return [ruleId ?? messageId, symbol, callee, ordinal].join(' ');
  });
}
