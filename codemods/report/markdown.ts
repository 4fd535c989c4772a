import { HOSTS_NOTE, HOSTS_TITLE, placeText, type Overview } from './overview.ts';

/** A cell of a table: a pipe would end it, a line end the table. */
const cell = (text: string | number): string => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A fence longer than any in the text. */
function fenced(diff: string): string {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

/** A page for a pull request: totals, per reason, per file, each set with its diff, what is left. */
export function markdown({
  plan,
  written,
  totals,
  sets,
  shared,
  left,
  reasons,
  files,
  hosts,
}: Overview): string {
  const parts = [
    `# Migration: ${plan.recipe}`,
    `${totals.migrate} sites ${written ? 'migrated' : 'to migrate'} in ${totals.files} files, ${totals.left} left alone, ${totals.suppressed} suppressed.`,
    ...(reasons.length > 0
      ? [
          '## Why sites are left',
          table(
            ['reason', 'sites', 'what it means', 'what to do'],
            reasons.map(({ reason, count, short, long }) => [`\`${reason}\``, count, short, long]),
          ),
        ]
      : []),
    ...(files.length > 0
      ? [
          '## Files',
          table(
            ['file', written ? 'migrated' : 'to migrate', 'left', 'suppressed'],
            files.map((each) => [each.file, each.migrate, each.left, each.suppressed]),
          ),
        ]
      : []),
    ...(left.length > 0
      ? [
          '## Left alone',
          table(
            ['place', 'reason', ''],
            left.map((site) => [
              placeText(site),
              `\`${site.reason ?? ''}\``,
              site.status === 'suppressed' ? `suppressed: ${site.short ?? ''}` : (site.short ?? ''),
            ]),
          ),
        ]
      : []),
    ...sets.flatMap(({ name, sites, notes, diffs }) => [
      `## ${name}`,
      sites
        .map(
          (site) =>
            `- ${placeText(site)} \`${site.callee}\`${site.symbol === '' ? '' : ` in \`${site.symbol}\``}`,
        )
        .join('\n'),
      ...(notes.length > 0 ? [notes.map((note) => `> ${note}`).join('\n>\n')] : []),
      ...diffs.map(({ diff }) => fenced(diff)),
    ]),
    ...(hosts.length > 0 ? [`## ${HOSTS_TITLE}`, HOSTS_NOTE] : []),
    ...hosts.flatMap(({ module, text, diffs }) => [
      `### ${module}`,
      text,
      ...diffs.map(({ diff }) => fenced(diff)),
    ]),
    ...(shared.length > 0 ? ['## Dependencies', ...shared.map(({ diff }) => fenced(diff))] : []),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
