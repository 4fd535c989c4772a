import { HOSTS_NOTE, HOSTS_TITLE, placeText, type Overview, type PlacedSite } from './overview.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string | number): string =>
  String(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A name that links may point at. */
const idOf = (name: string): string => `set-${encodeURIComponent(name)}`;

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --dim: #59636e; --page: #fff; --box: #f6f8fa; --line: #d1d9e0;
  --link: #0550ae; --added: #dafbe1; --removed: #ffebe9; --hunk: #ddf4ff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --dim: #9198a1; --page: #0d1117; --box: #151b23; --line: #3d444d;
    --link: #6cb6ff; --added: #12361f; --removed: #45191c; --hunk: #122a44; }
}
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; display: inline; }
a { color: var(--link); } .dim { color: var(--dim); }
code, pre { font: 13px/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
.totals { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none; }
.totals li { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .5rem 1rem; }
.totals b { display: block; font-size: 1.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; } pre { margin: .75rem 0 0; overflow-x: auto; background: var(--box); padding: .5rem 0; }
pre span { display: block; min-width: max-content; padding: 0 .75rem; white-space: pre; }
.added { background: var(--added); } .removed { background: var(--removed); } .hunk { background: var(--hunk); color: var(--dim); }
`;

const KINDS: readonly [pattern: RegExp, name: string][] = [
  [/^(?:---|\+\+\+) /, 'dim'],
  [/^@@/, 'hunk'],
  [/^\+/, 'added'],
  [/^-/, 'removed'],
];

function diffHtml(diff: string): string {
  const lines = diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const kind = KINDS.find(([pattern]) => pattern.test(line))?.[1];
      return `<span${kind === undefined ? '' : ` class="${kind}"`}>${escaped(line.replace(/\r$/, '')) || ' '}</span>`;
    });
  return `<pre tabindex="0">${lines.join('')}</pre>`;
}

function tableHtml(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (tag: string, value: string | number): string =>
    typeof value === 'number' ? `<${tag} class="number">${value}</${tag}>` : `<${tag}>${value}</${tag}>`;
  const headings = head.map((name, i) =>
    typeof rows[0]?.[i] === 'number'
      ? `<th scope="col" class="number">${name}</th>`
      : `<th scope="col">${name}</th>`,
  );
  const body = rows.map((row) => `<tr>${row.map((value) => cell('td', value)).join('')}</tr>`);
  return `<div class="wide"><table><thead><tr>${headings.join('')}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

const siteHtml = (site: PlacedSite): string =>
  `<li>${code(placeText(site))} ${escaped(site.callee)}${site.symbol === '' ? '' : ` in ${code(site.symbol)}`}</li>`;

/** A page of its own that a team can discuss: no script, nothing from elsewhere, light and dark. */
export function html({ plan, written, totals, sets, shared, left, reasons, files, hosts }: Overview): string {
  const done = written ? 'migrated' : 'to migrate';
  const title = `Migration: ${plan.recipe}`;
  const counts: [number, string][] = [
    [totals.migrate, `sites ${done}`],
    [totals.left, 'left alone'],
    [totals.suppressed, 'suppressed'],
    [totals.files, 'files with edits'],
  ];
  const section = (heading: string, id: string, ...parts: string[]): string =>
    `<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>\n${parts.join('\n')}\n</section>`;
  const setNames = new Set(sets.map(({ name }) => name));
  const sections = [
    reasons.length === 0
      ? ''
      : section(
          'Why sites are left',
          'reasons',
          tableHtml(
            ['reason', 'sites', 'what it means', 'what to do'],
            reasons.map(({ reason, count, short, long }) => [
              code(reason),
              count,
              escaped(short),
              escaped(long),
            ]),
          ),
        ),
    files.length === 0
      ? ''
      : section(
          'Files',
          'files',
          tableHtml(
            ['file', done, 'left', 'suppressed'],
            files.map(({ file, ...each }) => [
              setNames.has(file) ? `<a href="#${escaped(idOf(file))}">${code(file)}</a>` : code(file),
              each.migrate,
              each.left,
              each.suppressed,
            ]),
          ),
        ),
    left.length === 0
      ? ''
      : section(
          'Left alone',
          'left',
          tableHtml(
            ['place', 'reason', ''],
            left.map((site) => [
              code(placeText(site)),
              code(site.reason ?? ''),
              escaped(site.status === 'suppressed' ? `suppressed: ${site.short ?? ''}` : (site.short ?? '')),
            ]),
          ),
        ),
    sets.length === 0
      ? ''
      : section(
          `Edits, set by set`,
          'sets',
          `<p class="dim">What is migrated together. To leave a site out, name its place: ${code(`owned-spawn migrate --recipe ${plan.recipe} --skip ${sets.flatMap(({ sites }) => sites.map(placeText))[0] ?? ''}`)}</p>`,
          ...sets.map(
            ({ name, sites, notes, diffs }) =>
              `<details open id="${escaped(idOf(name))}"><summary><h3>${code(name)}</h3> <span class="dim">${sites.length} ${sites.length === 1 ? 'site' : 'sites'}</span></summary>\n<ul>${sites.map(siteHtml).join('')}</ul>${notes
                .map((note) => `<p><strong>Look at:</strong> ${escaped(note)}</p>`)
                .join('')}${diffs.map(({ diff }) => diffHtml(diff)).join('\n')}</details>`,
          ),
        ),
    hosts.length === 0
      ? ''
      : section(
          HOSTS_TITLE,
          'hosts',
          `<p class="dim">${escaped(HOSTS_NOTE)}</p>`,
          ...hosts.map(
            ({ module, text, diffs }) =>
              `<details open><summary><h3>${code(module)}</h3> <span class="dim">${text}</span></summary>\n${diffs.map(({ diff }) => diffHtml(diff)).join('\n')}</details>`,
          ),
        ),
    shared.length === 0
      ? ''
      : section('Dependencies', 'dependencies', ...shared.map(({ diff }) => diffHtml(diff))),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<ul class="totals">${counts.map(([count, what]) => `<li><b>${count}</b> ${what}</li>`).join('')}</ul>
${sections.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}
