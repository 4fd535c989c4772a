import type { ListedException } from '../exceptions.ts';
import type { ExceptionReport } from './exception-reports.ts';
import { sarifLocation, sarifLog, type SarifResult } from './sarif-log.ts';

/** The exceptions as suppressed results of a SARIF 2.1.0 log. */
export const exceptionSarif: ExceptionReport = (exceptions) => sarifLog(exceptions.map(exceptionResult));

/** An exception as a result that its reason suppresses. */
export function exceptionResult(exception: ListedException): SarifResult {
  const { kind, rules, file, line, column, callee, reason, rollout, until, ref, since } = exception;
  const [ruleId = 'owned-spawn'] = rules;
  return {
    ruleId,
    level: 'note',
    message: {
      text: `${callee === null ? 'This' : `\`${callee}\``} is excused: ${reason || 'no reason given'}`,
    },
    locations: [sarifLocation(file, { startLine: line, startColumn: column })],
    suppressions: [{ kind: kind === 'allow' ? 'external' : 'inSource', justification: reason }],
    properties: { kind, rules, rollout, until, ref, since },
  };
}
