import { nearest, UserError } from 'owned-spawn/cli';
import { globPattern } from 'eslint-plugin-owned-spawn/api';
import { REASONS } from '../recipes/reasons.ts';

/** Whether a site belongs to what was asked for, by its file and the reason that counts for it. */
export type Selected = (path: string, reason: string | undefined) => boolean;

/**
 * Reads `--only` and `--skip`: a reason, the rule, or a path or glob, which has a dot, a slash or a star in it.
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
  return (path, reason) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path, reason))) &&
    !unwanted.some((matches) => matches(path, reason));
}

function matcher(term: string, rules: readonly string[]): Selected {
  if (Object.hasOwn(REASONS, term)) return (_, reason) => reason === term;
  if (rules.includes(term.replace(/^owned-spawn\//, ''))) return () => true;
  if (/[./*?]/.test(term)) {
    const pattern = globPattern(term);
    return (path) => pattern.test(path.replaceAll('\\', '/'));
  }
  const near = nearest(term, [...Object.keys(REASONS), ...rules]);
  throw new UserError(
    `"${term}" is no reason, rule or path`,
    near === undefined ? 'A folder ends in a slash: src/' : `Did you mean ${near}?`,
  );
}
