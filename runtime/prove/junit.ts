import type { Family, Outcome } from './outcome.ts';
import type { Summary } from './summary.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  text
    // What XML 1.0 has no way to write.

    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** A JUnit file: a suite for each run, a test case for each family, and one for the control. */
export function junit({ command, by, outcomes }: Summary): string {
  const suites = outcomes.map((outcome, run) => suite(outcome, outcomes.length > 1 ? ` run ${run + 1}` : ''));
  const [tests, failures] = [
    suites.reduce((total, each) => total + each.tests, 0),
    suites.reduce((total, each) => total + each.failures, 0),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(`owned-spawn prove --by ${by} -- ${command.join(' ')}`)}" tests="${tests}" failures="${failures}">`,
    ...suites.map(({ text }) => text),
    '</testsuites>',
  ].join('\n');
}

function suite(outcome: Outcome, name: string): { text: string; tests: number; failures: number } {
  const { families, control } = outcome;
  const cases = families.map((family) => [family.family, failureOf(family, outcome)] as const);
  const lost = control.before - control.after;
  const all = [
    ...cases,
    ['(control)', lost > 0 ? `the kill reached ${lost} processes of another owner` : undefined] as const,
  ];
  const failures = all.filter(([, failure]) => failure !== undefined).length;
  const lines = all.map(([each, failure]) =>
    failure === undefined
      ? `    <testcase classname="owned-spawn.prove" name="${escaped(each)}"/>`
      : `    <testcase classname="owned-spawn.prove" name="${escaped(each)}"><failure message="${escaped(failure.split('\n')[0] ?? '')}">${escaped(failure)}</failure></testcase>`,
  );
  const open = `  <testsuite name="prove${name}" tests="${all.length}" failures="${failures}">`;
  return { text: [open, ...lines, '  </testsuite>'].join('\n'), tests: all.length, failures };
}

function failureOf({ family, after, deliberate }: Family, { survivors }: Outcome): string | undefined {
  if (after <= deliberate) return undefined;
  const left = survivors.filter((each) => each.family === family && each.reason === null);
  return [
    `${after - deliberate} of ${family} outlived the owner without a reason`,
    ...left.map(
      ({ pid, command, ports }) =>
        `${pid} ${command}${ports.length > 0 ? ` (port ${ports.join(', ')})` : ''}`,
    ),
  ].join('\n');
}
