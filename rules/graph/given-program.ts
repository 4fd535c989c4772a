import type { TSESLint } from '@typescript-eslint/utils';
import type { Program } from 'typescript';
import type { LoopSettings } from '../apis/loop-table.ts';

type Context = Readonly<TSESLint.RuleContext<string, readonly unknown[]>>;

/** By this parser option `check` gives its one program, which holds files too that other parsers take. */
export const PROGRAM_OPTION = 'ownedSpawnProgram';

/** Gives the program of a run, or none where no file of it matters. */
export type ProgramSource = (settings: LoopSettings | undefined) => Program | undefined;

/** The program that a file is linted with; null where there are no types, undefined where it does not matter. */
export function givenProgram({
  sourceCode,
  languageOptions,
  settings,
  filename,
}: Context): Program | null | undefined {
  const options = languageOptions.parserOptions as Record<string, unknown> | undefined;
  const source = options?.[PROGRAM_OPTION] as ProgramSource | undefined;
  if (source) return source(settings['owned-spawn'] as LoopSettings | undefined);
  // Other linters have no services, or throw when they are asked for.
  try {
    const { program } = sourceCode.parserServices as { program?: Program | null };
    return program?.getSourceFile(filename) ? program : null;
  } catch {
    return null;
  }
}
