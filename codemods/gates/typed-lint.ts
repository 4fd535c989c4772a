import { parse } from 'node:path';
import typedRules from '@typescript-eslint/eslint-plugin';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import type typescript from 'typescript';
import { isChecked } from './compile-units.ts';
import { codeAt, type Said } from './delta.ts';
import type { OverlayProgram } from './overlay-program.ts';

/** What an `await` that is missing or too many gives away. */
const RULES = ['no-floating-promises', 'no-misused-promises', 'await-thenable'] as const;

/** Whether `await` stands at a place: what is given to an overload that it does not fit makes a promise of that, too. */
const isAwaited = (file: typescript.SourceFile, line: number, column: number): boolean =>
  /^await\b/.test(file.text.slice(file.getPositionOfLineAndCharacter(line - 1, column - 1)));

/**
 * What typed lint says of some files of a program, whose texts are its own. In JavaScript that nobody checks a callback may
 * give a promise to what wants nothing back.
 *
 * @param checksJavaScript whether the project checks its JavaScript
 */
export function typedLint(
  { program }: OverlayProgram,
  files: Iterable<string>,
  checksJavaScript: boolean,
): Said[] {
  // Files outside of the linter's folder match no config.
  const linter = new Linter({ configType: 'flat', cwd: parse(process.cwd()).root });
  const config: Linter.Config = {
    files: ['**/*.[jt]s', '**/*.[cm][jt]s', '**/*.[jt]sx'],
    plugins: { typed: typedRules as unknown as NonNullable<Linter.Config['plugins']>[string] },
    languageOptions: {
      parser,
      parserOptions: { programs: [program], project: null },
    },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: Object.fromEntries(RULES.map((rule) => [`typed/${rule}`, 'error'])),
  };
  return [...files].flatMap((path) => {
    const file = program.getSourceFile(path);
    if (!file) return [];
    const isTyped = isChecked(file, checksJavaScript);
    return linter
      .verify(file.text, config, { filename: path })
      .flatMap(({ ruleId, message, messageId, line, column }) => {
        const isVoid = messageId?.startsWith('voidReturn') === true;
        if (ruleId?.startsWith('typed/') !== true || (isVoid && !isTyped)) return [];
        if (messageId === 'conditional' && isAwaited(file, line, column)) return [];
        return [
          {
            file: path,
            line,
            key: `${ruleId} ${message}`,
            code: codeAt(file, line),
            text: `${ruleId.slice('typed/'.length)}: ${message}`,
            ...(isVoid && { voidColumn: column }),
          },
        ];
      });
  });
}
