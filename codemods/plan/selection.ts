import { nearest, UserError } from 'owned-spawn/cli';
import { globPattern } from 'eslint-plugin-owned-spawn/api';
import { REASONS } from '../recipes/reasons.ts';

/** Whether a site belongs to what was asked for, by its file and the reason that counts for it. */
export type Selected = (path: string, reason: string | undefined) => boolean;

/** The rule whose findings are migrated. */
const RULE = 'no-detached-spawn';

/**
 * Reads `--only` and `--skip`: a reason, the rule, or a path or glob, which has a dot, a slash or a star in it.
 * @throws {UserError} for a word that is none of them
 */
export function selection(only: readonly string[] = [], skip: readonly string[] = []): Selected | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const [wanted, unwanted] = [only.map(matcher), skip.map(matcher)];
  return (path, reason) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path, reason))) &&
    !unwanted.some((matches) => matches(path, reason));
}

function matcher(term: string): Selected {
  if (Object.hasOwn(REASONS, term)) return (_, reason) => reason === term;
  if (term.replace(/^owned-spawn\//, '') === RULE) return () => true;
  if (/[./*?]/.test(term)) {
    const pattern = globPattern(term);
    return (path) => pattern.test(path.replaceAll('\\', '/'));
  }
  const near = nearest(term, [...Object.keys(REASONS), RULE]);
  throw new UserError(
    `"${term}" is no reason, rule or path`,
    near === undefined ? 'A folder ends in a slash: src/' : `Did you mean ${near}?`,
  );
}
