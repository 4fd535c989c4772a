import type { Terminal } from 'owned-spawn/cli';
import { coloured } from 'eslint-plugin-owned-spawn/api';
import { html } from './html.ts';
import { markdown } from './markdown.ts';
import { HOSTS_NOTE, HOSTS_TITLE, type Overview } from './overview.ts';
import { sarif } from './sarif.ts';
import { sitesText } from './text.ts';

/** A plan in some format. */
type Report = (overview: Overview, out: Terminal) => string;

/** The formats of `--report`. */
export const reports = {
  text: (overview, out) =>
    diffsText(overview, out) + hostsText(overview, out) + sitesText(overview.plan, overview.written, out),
  json: ({ plan, totals, written }) => `${JSON.stringify({ ...plan, totals, written }, undefined, 2)}\n`,
  md: markdown,
  html,
  sarif,
} as const satisfies Readonly<Record<string, Report>>;

/** The whole diff, until it is written. */
function diffsText({ written, diffs }: Overview, out: Terminal): string {
  if (written || diffs.length === 0) return '';
  return `${diffs.map(({ diff }) => (out.colour ? coloured(diff, out) : diff)).join('')}\n`;
}

/** Above what is left, so that the totals are last. */
function hostsText({ hosts }: Overview, out: Terminal): string {
  if (hosts.length === 0) return '';
  const shown = hosts.map(
    ({ module, text, diffs }) =>
      `${out.bold(module)}  ${text}\n${diffs.map(({ diff }) => (out.colour ? coloured(diff, out) : diff)).join('')}`,
  );
  return `${out.bold(HOSTS_TITLE)}\n${HOSTS_NOTE}\n\n${shown.join('')}\n`;
}
