import type { Finding } from '../finding.ts';
import { ruleOf } from '../finding-key.ts';
import type { Report } from './reports.ts';

/**
 * The findings as a JUnit report, which CI services show beside the tests: a failed case each, or one that passed where there
 * is none. The format knows no warning: the failure's type says what it is. It holds no times, as all our reports.
 */
export const junit: Report = ({ findings, files }) => {
  const cases = findings.map(failed);
  if (cases.length === 0)
    cases.push(`    <testcase${attributes({ classname: 'owned-spawn', name: `${files} files` })}/>`);
  const counts = attributes({
    name: 'owned-spawn',
    tests: cases.length,
    failures: findings.length,
    errors: 0,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${counts}>
  <testsuite${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
};

function failed(finding: Finding): string {
  const { file, line, column, severity, message, path = [] } = finding;
  const place = `${file}:${line}:${column}`;
  const steps = path.map((step) => `  ${step.name} (${step.file}:${step.line}:${step.column})`);
  const type = severity === 2 ? 'error' : 'warning';
  return [
    `    <testcase${attributes({ classname: file, name: `${ruleOf(finding)} ${line}:${column}`, file })}>`,
    `      <failure${attributes({ type, message })}>${escaped([place, ...steps].join('\n'))}</failure>`,
    '    </testcase>',
  ].join('\n');
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** Control characters other than tab and line ends cannot be in XML 1.0 at all (https://www.w3.org/TR/xml/#charsets). */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '');
