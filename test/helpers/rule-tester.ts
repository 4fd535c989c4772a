import { after, describe, it } from 'node:test';
import { RuleTester } from '@typescript-eslint/rule-tester';

RuleTester.afterAll = after;
RuleTester.describe = (text, run) => void describe(text, run);
RuleTester.it = (text, run) => void it(text, run);
RuleTester.itOnly = (text, run) => void it.only(text, run);

/** Tests a rule with the TypeScript parser and without types, JSX included where the file's name says so. */
export const ruleTester = new RuleTester();
