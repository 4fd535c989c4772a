import { RuleCreator } from '@typescript-eslint/utils/eslint-utils';

/** In which preset a rule stands, and how loud; `strict` holds every rule as an error. */
export interface RuleDocs {
  preset: 'recommended' | 'recommended-type-checked' | 'strict';
  severity: 'error' | 'warn';
}

/** Makes a rule whose page is `docs/rules/<name>.md` of this repository. */
export const createRule = RuleCreator<RuleDocs>((name) => `docs/rules/${name}.md`);
