import { after, describe, it } from 'node:test';
import { RuleTester } from '@typescript-eslint/rule-tester';
import type { Linter } from 'eslint';

RuleTester.afterAll = after;
RuleTester.describe = (text, run) => void describe(text, run);
RuleTester.it = (text, run) => void it(text, run);
RuleTester.itOnly = (text, run) => void it.only(text, run);

/** A snippet that a rule rejects, with its config. */
export interface Rejected {
  rule: string;
  code: string;
  filename?: string;
  options?: unknown[];
  settings?: Record<string, unknown>;
  languageOptions?: Linter.LanguageOptions;
}

/** All invalid snippets of the test files that have been imported so far, for what is tested over every snippet. */
export const rejected: Rejected[] = [];

const tester = new RuleTester();

/** Tests a rule with the TypeScript parser and without types, JSX included where the file's name says so. */
export const ruleTester: Pick<RuleTester, 'run'> = {
  run(name, rule, tests) {
    for (const each of tests.invalid) rejected.push({ ...(each as unknown as Rejected), rule: name });
    tester.run(name, rule, tests);
  },
};
