import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from './module-view.ts';

/** A comment by which a linter is told to be silent about some rules. */
export interface DisableDirective {
  comment: TSESTree.Comment;
  /** `eslint-disable-next-line`, or `eslint` for a comment that configures a rule as off. */
  directive: string;
  rules: string[];
  reason: string;
}

const DISABLE = /^\s*((?:eslint|oxlint)-disable(?:-next-line|-line)?)\s+([^]*)$/;
const CONFIGURE = /^\s*(eslint)\s+([^]*)$/;

/** The directives that switch off a rule whose name begins with one of the prefixes, such as `owned-spawn/`. */
export function readDirectives(view: ModuleView, prefixes: readonly string[]): DisableDirective[] {
  if (!prefixes.some((prefix) => view.text.includes(prefix))) return [];
  return view.comments.flatMap((comment) => {
    const disable = DISABLE.exec(comment.value);
    const [, directive = '', text = ''] = disable ?? CONFIGURE.exec(comment.value) ?? [];
    // ESLint's own rule for the reason: two dashes or more with blanks around them.
    const [names = '', ...reasons] = text.split(/\s-{2,}\s/u);
    const rules = (disable ? names.split(',') : configuredOff(names))
      .map((name) => name.trim())
      .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    return rules.length > 0 ? [{ comment, directive, rules, reason: reasons.join(' -- ').trim() }] : [];
  });
}

/** `some/rule: "off"`, `"some/rule": [0]`. */
function configuredOff(text: string): string[] {
  return [...text.matchAll(/(['"]?)([\w@/-]+)\1\s*:\s*\[?\s*(?:0\b|(['"]?)off\b\3)/g)].map(
    ([, , name = '']) => name,
  );
}
