import { table, type Terminal } from '../cli/terminal.ts';
import { BY } from './measure.ts';
import type { Family, Outcome } from './outcome.ts';
import type { Summary } from './summary.ts';

const MOST_SURVIVORS = 20;

const count = (n: number, one: string): string =>
  `${n} ${one}${n === 1 ? '' : one.endsWith('s') ? 'es' : 's'}`;

const lastDeath = (ms: number | null): string =>
  ms === null ? '-' : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

function familyRow(
  { family, before, after, deliberate, ports, lastDeathMs, reason }: Family,
  out: Terminal,
): string[] {
  const paint = after === 0 ? out.green : after > deliberate ? out.red : out.yellow;
  return [
    family,
    String(before),
    paint(String(after)),
    ports.length > 0 ? out.red(ports.join(' ')) : '-',
    lastDeath(after > deliberate ? null : lastDeathMs),
    reason ?? (after > 0 ? '' : '-'),
  ];
}

/** Writes the outcome for a person: the table, the survivors that nobody accounts for, the verdict. */
export function report(outcome: Outcome, out: Terminal): void {
  const { command, by, families, survivors, control, verdict, left } = outcome;
  out.line(`Killed \`${command.join(' ')}\` with ${BY[by].join(', then ')}.`);
  out.line();
  const rows = [
    ['family', 'before', 'after', 'ports still taken', 'last death', 'outlives because'].map(out.bold),
    ...families.map((family) => familyRow(family, out)),
    [
      '(control)',
      String(control.before),
      (control.after === control.before ? out.green : out.red)(String(control.after)),
      '-',
      '-',
      control.after === control.before ? 'another owner, untouched' : 'another owner, TOUCHED',
    ],
  ];
  for (const line of table(rows, [1, 2])) out.line(line.trimEnd());
  out.line();

  const unexplained = survivors.filter(({ reason }) => reason === null);
  const deliberate = survivors.length - unexplained.length;
  if (unexplained.length > 0) {
    out.line(out.red(`${count(unexplained.length, 'process')} outlived the owner without a reason:`));
    const lines = unexplained.map(({ pid, command, ports, startedAfterKill }) => [
      `  ${pid}`,
      [
        command.length > 90 ? `${command.slice(0, 89)}…` : command,
        ports.length > 0 && `(port ${ports.join(', ')})`,
        startedAfterKill && '(started after the kill)',
      ]
        .filter((part) => part !== false)
        .join(' '),
    ]);
    for (const line of table(lines)) out.line(line);
  }
  if (verdict === 'control-touched') out.line(out.red('The kill reached processes of another owner.'));
  if (verdict === 'clean') {
    out.line(
      out.green(
        deliberate > 0
          ? `Nothing outlived the owner but ${count(deliberate, 'process')} that should.`
          : 'Nothing outlived the owner.',
      ),
    );
  }
  if (families.every(({ before }) => before === 0))
    out.line(out.yellow('It had started no process when it was killed: this proves little.'));
  if (left.length > 0) out.line(`Left running: ${left.join(' ')}`);
}

/** Writes several runs for a person: one table, and what the worst run left. */
export function reportRuns(summary: Summary, out: Terminal): void {
  const { command, by, runs, leakyRuns, families, outcomes, verdict } = summary;
  out.line(`Killed \`${command.join(' ')}\` with ${BY[by].join(', then ')}, ${runs} times.`);
  out.line();
  const head = [
    'family',
    'before',
    'after',
    'runs that leak',
    'median death',
    'last death',
    'outlives because',
  ];
  const rows = families.map(
    ({ family, before, after, leakyRuns: leaks, medianDeathMs, lastDeathMs, reason }) => [
      family,
      String(before),
      (leaks > 0 ? out.red : after > 0 ? out.yellow : out.green)(String(after)),
      `${leaks} of ${runs}`,
      lastDeath(medianDeathMs),
      lastDeath(lastDeathMs),
      reason ?? '-',
    ],
  );
  for (const line of table([head.map(out.bold), ...rows], [1, 2])) out.line(line.trimEnd());
  out.line();
  const survivors = outcomes.flatMap((outcome, run) =>
    outcome.survivors
      .filter(({ reason }) => reason === null)
      .map((each) => [`  run ${run + 1}`, each.command]),
  );
  if (survivors.length > 0) {
    out.line(out.red(`In ${leakyRuns} of ${runs} runs processes outlived the owner without a reason:`));
    for (const line of table(survivors.slice(0, MOST_SURVIVORS))) out.line(line);
    if (survivors.length > MOST_SURVIVORS) out.line(`  and ${survivors.length - MOST_SURVIVORS} more`);
  }
  if (verdict === 'control-touched') out.line(out.red('A kill reached processes of another owner.'));
  if (verdict === 'clean') out.line(out.green('Nothing outlived the owner without a reason in any run.'));
}
