import { table, type Terminal } from 'owned-spawn/cli';
import { totalsOf, type Plan, type PlannedSite } from '../plan/plan.ts';
import { noteText } from '../recipes/reasons.ts';

const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** The sites that are left, a line each, what to look at in the others, and the totals. */
export function sitesText(plan: Plan, done: boolean, out: Terminal): string {
  const sites = Object.entries(plan.files).flatMap(([file, { sites: each }]) =>
    each.map((site) => ({ file, site })),
  );
  const place = ({ file, site }: { file: string; site: PlannedSite }): string =>
    `${file}:${site.line}:${site.column}`;
  const left = sites
    .filter(({ site }) => site.status !== 'migrate')
    .map((each) => {
      const { status, reason = '', short = '' } = each.site;
      return [place(each), out.yellow(reason), status === 'suppressed' ? `suppressed: ${short}` : short];
    });
  const noted = sites.flatMap((each) =>
    (each.site.notes ?? []).map((note) => [place(each), out.cyan(note), noteText(note, each.site)]),
  );
  const { migrate, left: count, suppressed, files, reasons } = totalsOf(plan);
  const why = Object.entries(reasons)
    .map(([reason, n]) => `${n} ${reason}`)
    .join(', ');
  const total = [
    `${plural(migrate, 'site')} ${done ? 'migrated' : 'to migrate'} in ${plural(files, 'file')}`,
    `${count} left alone${why && ` (${why})`}`,
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
  ];
  const blocks = [table(noted), table(left), [out.bold(`${total.join(', ')}.`)]].filter(
    (rows) => rows.length > 0,
  );
  return `${blocks.map((rows) => rows.join('\n')).join('\n\n')}\n`;
}
