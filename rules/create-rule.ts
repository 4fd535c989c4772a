import { RuleCreator } from '@typescript-eslint/utils/eslint-utils';

/** In which preset a rule stands, and how loud; `strict` holds every rule as an error. */
export interface RuleDocs {
  preset: 'recommended' | 'recommended-type-checked' | 'strict';
  severity: 'error' | 'warn';
  /** Silent without a TypeScript program. */
  requiresTypeChecking?: true;
}

/**
 * Makes a rule whose page is `docs/rules/<name>.md`. The build copies the pages into the package, so that the URL opens
 * the page of the installed version, without a network; it holds from the sources and from `dist/`.
 */
export const createRule = RuleCreator<RuleDocs>(
  (name) => new URL(`../docs/rules/${name}.md`, import.meta.url).href,
);
