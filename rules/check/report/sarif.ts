import type { Finding, Step } from '../finding.ts';
import { findingKey, ruleOf } from '../finding-key.ts';
import { exceptionResult } from './exception-sarif.ts';
import type { Report } from './reports.ts';
import { sarifLocation, sarifLog, type SarifResult } from './sarif-log.ts';

/** The findings, and as suppressed results what is excused with a reason, as a SARIF 2.1.0 log for code scanners. */
export const sarif: Report = ({ findings, exceptions, excused }) =>
  sarifLog([
    ...findings.map(resultOf),
    ...exceptions.map(({ finding, reason }) => ({
      ...resultOf(finding),
      suppressions: [{ kind: 'inSource', justification: reason }],
    })),
    ...excused.map(exceptionResult),
  ]);

function resultOf(finding: Finding): SarifResult {
  const { message, severity, file, line, column, endLine, endColumn } = finding;
  return {
    ruleId: ruleOf(finding),
    level: severity === 2 ? 'error' : 'warning',
    message: { text: message },
    locations: [sarifLocation(file, { startLine: line, startColumn: column, endLine, endColumn })],
    ...flowOf(finding),
    // So that a scanner knows the finding again when its line has moved.
    partialFingerprints: { 'ownedSpawnKey/v1': findingKey(finding) },
    properties: { symbol: finding.symbol, callee: finding.callee },
  };
}

/** The way from the finding to what decides, as one thread. */
function flowOf({ file, line, column, callee, symbol, path = [] }: Finding): object {
  const [first] = path;
  if (!first) return {};
  const isFirst = first.file === file && first.line === line && first.column === column;
  const steps: Step[] = isFirst ? path : [{ name: callee ?? symbol, file, line, column }, ...path];
  const locations = steps.map((step) => ({
    location: sarifLocation(step.file, { startLine: step.line, startColumn: step.column }, step.name),
  }));
  return { codeFlows: [{ threadFlows: [{ locations }] }] };
}
