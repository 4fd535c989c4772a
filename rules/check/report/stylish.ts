import { table } from 'owned-spawn/cli';
import type { Finding } from '../finding.ts';
import type { Report } from './reports.ts';

const NO_RULE = 'file not checked';

const BLOCKING = [
  [
    'rewrite it',
    'owned-spawn migrate --recipe off-loop   shows a diff onto the async twins, through all callers',
  ],
  ['keep it', '// blocking-call: ok — why it may block'],
] as const;

/** What to do about the findings of a rule; said once where several rules share it. */
const WAYS_ON: Readonly<Record<string, readonly (readonly [way: string, how: string])[]>> = {
  'owned-spawn/no-detached-spawn': [
    ['rewrite it', 'owned-spawn migrate   shows a diff onto spawnOwned, whose children end with their owner'],
    ['by hand', "import { spawnOwned } from 'owned-spawn'   takes spawn's arguments"],
    ['keep it', '// detached-spawn: ok — why it must outlive its owner'],
  ],
  'owned-spawn/no-blocking-call': BLOCKING,
  'owned-spawn/no-blocking-call-path': BLOCKING,
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How many findings each rule has, most first. */
export function countsBy(findings: readonly Finding[]): [rule: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { ruleId } of findings) counts.set(ruleId ?? NO_RULE, (counts.get(ruleId ?? NO_RULE) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** The findings by file, then the exceptions, the counts by rule and the ways on, for people. */
export const stylish: Report = ({ findings, exceptions, files }, paint) => {
  const severities = { 1: paint.yellow('warning'), 2: paint.red('error') };
  const places = table(
    findings.map(({ line, column, severity }) => [`${line}:${column}`, severities[severity], '']),
  );
  const lines = findings.flatMap(({ file, message, ruleId }, index) => [
    ...(file === findings[index - 1]?.file ? [] : ['', paint.underline(file)]),
    `  ${places[index] ?? ''}${message.replaceAll(/\s*\n\s*/g, ' ')}  ${paint.dim(ruleId ?? '')}`.trimEnd(),
  ]);
  if (exceptions.length > 0) {
    lines.push('', `${plural(exceptions.length, 'exception')} with a reason:`);
    for (const { finding, reason } of exceptions)
      lines.push(paint.dim(`  ${finding.file}:${finding.line}  ${finding.ruleId ?? ''}  ${reason}`));
  }
  if (findings.length === 0) {
    lines.push('', paint.green(`No findings in ${plural(files, 'file')}.`));
  } else {
    const errors = findings.filter(({ severity }) => severity === 2).length;
    const inFiles = new Set(findings.map(({ file }) => file)).size;
    const sum = `${plural(errors, 'error')} and ${plural(findings.length - errors, 'warning')} in ${inFiles} of ${plural(files, 'file')}`;
    const counts = countsBy(findings);
    const ways = [...new Set(counts.flatMap(([rule]) => WAYS_ON[rule] ?? []))];
    lines.push('', (errors > 0 ? paint.red : paint.yellow)(sum));
    lines.push(
      ...indented(
        table(
          counts.map(([rule, count]) => [String(count), rule]),
          [0],
        ),
      ),
    );
    if (ways.length > 0) lines.push('', 'Ways on:', ...indented(table(ways)));
  }
  return `${lines.slice(1).join('\n')}\n`;
};

const indented = (rows: readonly string[]): string[] => rows.map((row) => `  ${row}`);
