import { createRequire } from 'node:module';
import type typescript from 'typescript';

/** TypeScript's compiler as a value. */
export type Compiler = typeof typescript;

let loaded: Compiler | undefined;

/**
 * The compiler that typescript-eslint's parser uses, for programs are of one compiler: the numbers of its enums differ
 * from version to version. Loaded on demand, since the syntactic rules need none.
 */
export function compiler(): Compiler {
  if (loaded) return loaded;
  const own = createRequire(import.meta.url);
  const parsers = createRequire(own.resolve('@typescript-eslint/parser'));
  loaded = parsers('typescript') as Compiler;
  return loaded;
}
