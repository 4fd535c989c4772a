import { BY } from './measure.ts';
import type { Summary } from './summary.ts';

const cell = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\|<>]/g, '\\$&');
const code = (text: string): string =>
  `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|')}\``;

/** A table for a pull request. */
export function markdown({ command, by, runs, leakyRuns, families, outcomes, verdict }: Summary): string {
  const head = [
    'family',
    'before',
    'after',
    ...(runs > 1 ? ['runs that leak'] : []),
    'ports still taken',
    'last death',
    'outlives because',
  ];
  const rows = families.map(({ family, before, after, leakyRuns: leaks, ports, lastDeathMs, reason }) => [
    cell(family),
    String(before),
    leaks > 0 ? `**${after}**` : String(after),
    ...(runs > 1 ? [`${leaks} of ${runs}`] : []),
    ports.join(' ') || '-',
    leaks > 0 || lastDeathMs === null ? '-' : `${lastDeathMs} ms`,
    reason === null ? '-' : cell(reason),
  ]);
  const controls = outcomes.map(({ control }) => control);
  const lost = controls.reduce((total, { before, after }) => total + before - after, 0);
  const survivors = outcomes.flatMap((outcome) => outcome.survivors).filter(({ reason }) => reason === null);
  const result = {
    clean: 'Nothing outlived the owner without a reason.',
    survivors: `**Something outlived the owner without a reason${runs > 1 ? ` in ${leakyRuns} of ${runs} runs` : ''}:**`,
    'control-touched': `**The kill reached ${lost} processes of another owner.**`,
  }[verdict];
  const times = runs > 1 ? `, ${runs} times` : '';
  return [
    `Killed ${code(command.join(' '))} with ${BY[by].join(', then ')}${times}; another owner beside it ${lost === 0 ? 'was untouched' : 'was touched'}.`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map((name) => (/^(before|after)$/.test(name) ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    result,
    ...survivors
      .slice(0, 20)
      .map(({ family, command: line }) => `- ${cell(family)}: ${code(line.slice(0, 120))}`),
  ].join('\n');
}
