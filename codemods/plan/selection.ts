import { nearest, UserError } from 'owned-spawn/cli';
import { globPattern } from 'eslint-plugin-owned-spawn/api';
import { REASONS, type Reason } from '../recipes/reasons.ts';
import { placeBefore } from './place-before.ts';
import type { Planned } from './project.ts';

/** A site as `--only` and `--skip` may name it. */
export interface SelectableSite {
  path: string;
  /** From 1, as columns. */
  line: number;
  column: number;
  /** That it has, or would have by default. */
  reason?: Reason | undefined;
  /** Those that may report it, where not all recipes were asked. */
  rules?: readonly string[];
}

/** Whether a site was asked for; with a file, whether that may be edited for it. */
export type Selected = (site: SelectableSite, file?: string) => boolean;

/**
 * Reads `--only` and `--skip`: a reason, the rule, a place as the reports name it (`src/a.ts:12:3`, the column may be left out),
 * or a path or glob, which has a dot, a slash or a star in it.
 * @param rules whose findings are migrated
 * @throws {UserError} for a word that is none of them
 */
export function selection(
  rules: readonly string[],
  only: readonly string[] = [],
  skip: readonly string[] = [],
): Selected | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const [wanted, unwanted] = [only, skip].map((terms) => terms.map((term) => matcher(term, rules))) as [
    Selected[],
    Selected[],
  ];
  return (site, file) =>
    (wanted.length === 0 || wanted.some((matches) => matches(site, file))) &&
    !unwanted.some((matches) => matches(site, file));
}

function matcher(term: string, rules: readonly string[]): Selected {
  if (Object.hasOwn(REASONS, term)) return ({ reason }) => reason === term;
  const rule = term.replace(/^owned-spawn\//, '');
  if (rules.includes(rule)) return ({ rules: its = rules }) => its.includes(rule);
  const place = /^(?<path>.+?):(?<line>\d+)(?::(?<column>\d+))?$/.exec(term)?.groups;
  if (place) {
    const { path: glob = '', line, column = '' } = place;
    const isThere = pathMatcher(glob);
    // A site that is named brings the files along that it needs.
    return (site) =>
      site.line === Number(line) && (column === '' || site.column === Number(column)) && isThere(site.path);
  }
  if (/[./*?]/.test(term)) {
    const isThere = pathMatcher(term);
    return ({ path }, file = path) => isThere(file);
  }
  const near = nearest(term, [...Object.keys(REASONS), ...rules]);
  throw new UserError(
    `"${term}" is no reason, rule, path or place`,
    near === undefined ? 'A folder ends in a slash: src/' : `Did you mean ${near}?`,
  );
}

function pathMatcher(glob: string): (path: string) => boolean {
  const pattern = globPattern(glob);
  return (path) => pattern.test(path.replaceAll('\\', '/'));
}

/** The same selection for sites of the edited texts of a plan. */
export function editedSelection(
  selected: Selected | undefined,
  { plan, texts }: Pick<Planned, 'plan' | 'texts'>,
): Selected | undefined {
  if (!selected) return undefined;
  const before = new Map(
    [...texts].map(([shown, { path, text }]) => [
      path,
      placeBefore(text.replace(/^\uFEFF/, ''), plan.files[shown]?.edits ?? []),
    ]),
  );
  return (site, file) => selected({ ...site, ...before.get(site.path)?.(site) }, file);
}
