import { table, type Terminal } from 'owned-spawn/cli';
import { countsBy } from '../check/report/stylish.ts';
import type { Finding } from '../check/finding.ts';
import type { CheckResult } from '../check/run.ts';

/**
 * What check has found, by rule, and the ways on, for people.
 * @param config the name of the ESLint config
 */
export function standText({ findings, files }: CheckResult, config: string, paint: Terminal): string {
  if (findings.length === 0) return `${paint.green(`check finds nothing in ${plural(files, 'file')}.`)}\n`;
  const errors = findings.filter(({ severity }) => severity === 2).length;
  const counts = countsBy(findings).map(([rule, count]) => [String(count), rule]);
  const lines = [
    `check finds ${plural(errors, 'error')} and ${plural(findings.length - errors, 'warning')} in ${plural(files, 'file')}:`,
    ...table(counts, [0]).map((row) => `  ${row}`),
    '',
    'Three ways on:',
    ...table([
      ['  migrate', 'owned-spawn migrate', 'rewrites what it can, and says of the rest why not'],
      ['  baseline', BASELINE, 'accepts what is there: only what is new is reported'],
      ['  off', folderOff(findings), `in ${config}, below the preset`],
    ]),
    '',
    paint.dim('With a baseline, commit its file and say --baseline in the CI job too.'),
  ];
  return `${lines.join('\n')}\n`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const BASELINE = 'owned-spawn check --baseline owned-spawn-baseline.json';

/** A config that turns the rule that is found most off, in the folder where it is found most. */
function folderOff(findings: readonly Finding[]): string {
  const most = (keys: readonly string[]): string => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? '';
  };
  const judged = findings.filter(({ ruleId }) => ruleId !== null);
  const rule = most(judged.map(({ ruleId }) => ruleId ?? '')) || 'owned-spawn/no-blocking-call';
  const folders = judged.filter(({ ruleId }) => ruleId === rule).map(({ file }) => file.split('/'));
  const folder = most(folders.filter((parts) => parts.length > 1).map(([first]) => first ?? '')) || 'scripts';
  return `{ files: ['${folder}/**'], rules: { '${rule}': 'off' } }`;
}
