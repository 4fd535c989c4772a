import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../../rules/index.ts';

/** Line and message of every report of some rules on a text. */
export function lint(
  text: string,
  rules: readonly string[],
  filename: string,
): [line: number, messageId: string][] {
  const messages = new Linter().verify(
    text,
    [
      {
        files: ['**/*.{ts,mjs}'],
        languageOptions: { parser },
        plugins: { 'owned-spawn': plugin },
        rules: Object.fromEntries(rules.map((rule) => [`owned-spawn/${rule}`, 'error'])),
      },
    ],
    { filename, reportUnusedDisableDirectives: false },
  );
  return messages.map(({ line, messageId, message }) => [line, messageId ?? message]);
}
