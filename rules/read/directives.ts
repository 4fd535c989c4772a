import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from './module-view.ts';

/** A comment by which a linter is told to be silent about some rules. */
export interface DisableDirective {
  comment: TSESTree.Comment;
  /** `eslint-disable-next-line`, or `eslint` for a comment that configures a rule as off. */
  directive: string;
  /** None where it is about all rules. */
  rules: string[];
  reason: string;
}

const DIRECTIVE =
  /^\s*((?:eslint|oxlint)-(?:disable-next-line|disable-line|disable|enable)|eslint)(?:\s+([^]*))?$/;

/** The directives that switch off a rule whose name begins with one of the prefixes, such as `owned-spawn/`. */
export function readDirectives(view: ModuleView, prefixes: readonly string[]): DisableDirective[] {
  if (!prefixes.some((prefix) => view.text.includes(prefix))) return [];
  return directivesIn(view).flatMap((each) => {
    const rules = each.rules.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    return rules.length > 0 && !each.directive.endsWith('-enable') ? [{ ...each, rules }] : [];
  });
}

/**
 * Finds what tells ESLint to be silent about a rule at a place: a line, counted from 1, and a column, counted from 0.
 * @param ours the rules' names without the prefix of a plugin
 */
export function directiveAt(
  view: ModuleView,
  ours: readonly string[],
): (line: number, column: number) => DisableDirective | undefined {
  const names = (rules: readonly string[]): boolean =>
    rules.some((name) => ours.includes(name.replace(/^.*\//, '')));
  const lines = new Map<number, DisableDirective>();
  const switches: DisableDirective[] = [];
  let ofFile: DisableDirective | undefined;
  for (const each of directivesIn(view)) {
    const { comment, directive, rules } = each;
    if (directive === 'eslint') ofFile ??= names(rules) ? each : undefined;
    else if (!directive.startsWith('eslint') || (rules.length > 0 && !names(rules))) continue;
    else if (directive.endsWith('-next-line')) lines.set(comment.loc.end.line + 1, each);
    else if (directive.endsWith('-line')) lines.set(comment.loc.start.line, each);
    else if (comment.type === 'Block') switches.push(each);
  }
  return (line, column) => {
    const last = switches.findLast(
      ({ comment: { loc } }) =>
        loc.start.line < line || (loc.start.line === line && loc.start.column <= column),
    );
    return ofFile ?? lines.get(line) ?? (last?.directive === 'eslint-disable' ? last : undefined);
  };
}

function directivesIn(view: ModuleView): DisableDirective[] {
  // Comments may be read for it.
  if (!view.text.includes('lint')) return [];
  return view.comments.flatMap((comment) => {
    const [, directive, text = ''] = DIRECTIVE.exec(comment.value) ?? [];
    if (directive === undefined) return [];
    // ESLint's own rule for the reason: two dashes or more with blanks around them.
    const [names = '', ...reasons] = text.split(/\s-{2,}\s/u);
    const rules = directive === 'eslint' ? configuredOff(names) : names.split(',').map((name) => name.trim());
    return [{ comment, directive, rules: rules.filter(Boolean), reason: reasons.join(' -- ').trim() }];
  });
}

/** `some/rule: "off"`, `"some/rule": [0]`. */
function configuredOff(text: string): string[] {
  return [...text.matchAll(/(['"]?)([\w@/-]+)\1\s*:\s*\[?\s*(?:0\b|(['"]?)off\b\3)/g)].map(
    ([, , name = '']) => name,
  );
}
