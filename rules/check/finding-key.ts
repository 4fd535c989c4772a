import type { Finding } from './finding.ts';

type Keyed = Pick<Finding, 'ruleId' | 'messageId' | 'symbol' | 'callee'>;

/** The rule of a finding; of one that no rule made, what is wrong with the file. */
export const ruleOf = ({ ruleId, messageId }: Keyed): string =>
  ruleId ?? `owned-spawn/${messageId ?? 'crashed'}`;

/** What stays the same of a finding wherever its line moves to: rule, scope and API. */
export const findingKey = (finding: Keyed): string =>
  [ruleOf(finding), finding.symbol, finding.callee ?? ''].join(' ');
