import type { TSESLint } from '@typescript-eslint/utils';
import type { Program } from 'typescript';
import type { LoopSettings } from '../apis/loop-table.ts';
import { compiler } from './compiler.ts';
import { noteOnce } from '../note-once.ts';
import type { LightCalls } from './program-graph.ts';
import { pathFindings, type PathFinding } from './program-reach.ts';

type Context = Readonly<TSESLint.RuleContext<string, readonly unknown[]>>;

/** What blocks in a file through other files. */
export type PathSource = (
  filename: string,
  settings: LoopSettings | undefined,
  light: LightCalls,
) => readonly PathFinding[];

/** By this parser option `check` gives what it found over all its files, those too that no program of a parser holds. */
export const PATHS_OPTION = 'ownedSpawnPaths';

/** What blocks in the linted file through other files, by `check` or by the parser's program; undefined without types. */
export function givenPaths({
  sourceCode,
  languageOptions,
  settings,
  filename,
}: Context): ((light: LightCalls) => readonly PathFinding[]) | undefined {
  const options = languageOptions.parserOptions as Record<string, unknown> | undefined;
  const source = options?.[PATHS_OPTION] as PathSource | undefined;
  const its = settings['owned-spawn'] as LoopSettings | undefined;
  if (source) return (light) => source(filename, its, light);
  const program = programOf(sourceCode);
  const file = program?.getSourceFile(filename)?.fileName;
  if (!program || file === undefined) return undefined;
  if (process.argv.includes('--cache'))
    noteOnce('no-blocking-call-path looks at other files, which `--cache` does not: lint without it.');
  return (light) => pathFindings(compiler(), program, its, light).get(file) ?? [];
}

/** Other linters have no services, or throw when they are asked for. */
function programOf(sourceCode: Context['sourceCode']): Program | undefined {
  try {
    return (sourceCode.parserServices as { program?: Program | null }).program ?? undefined;
  } catch {
    return undefined;
  }
}
