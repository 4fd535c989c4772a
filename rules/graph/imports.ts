import { dirname, join } from 'node:path/posix';
import type { Program, SourceFile, StringLiteralLike } from 'typescript';
import type { Compiler } from './compiler.ts';

/** Which files of a program import which. */
export interface Imports {
  /** The file that a specifier of a file stands for; undefined for packages, and what is not there. */
  fileOf: (source: SourceFile, specifier: string) => string | undefined;
  /** What a file imports or requires. */
  specifiersOf: (source: SourceFile) => Iterable<string>;
  importersOf: (file: string) => readonly SourceFile[];
}

/** What a file requires is no import to the compiler where the file is TypeScript. */
const REQUIRED = /\brequire\(\s*["'](\.{1,2}\/?[^"'\n]*)["']/g;

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

/**
 * The imports of a program, each file's looked up once.
 *
 * @param ts the compiler that made the program
 * @param sources the files that count as importers
 */
export function importsOf(ts: Compiler, program: Program, sources: readonly SourceFile[]): Imports {
  const checker = program.getTypeChecker();
  const known = new Map<SourceFile, Map<string, string | undefined>>();
  let importers: Map<string, SourceFile[]> | undefined;

  function filesOf(source: SourceFile): Map<string, string | undefined> {
    const before = known.get(source);
    if (before) return before;
    const files = new Map<string, string | undefined>();
    known.set(source, files);
    // Not in the public types.
    const { imports = [] } = source as unknown as { imports?: readonly StringLiteralLike[] };
    for (const literal of imports)
      files.set(
        literal.text,
        checker.getSymbolAtLocation(literal)?.declarations?.find(ts.isSourceFile)?.fileName,
      );
    for (const [, specifier = ''] of source.text.matchAll(REQUIRED))
      if (!files.has(specifier)) files.set(specifier, fileBeside(source.fileName, specifier));
    return files;
  }

  function fileBeside(file: string, specifier: string): string | undefined {
    const path = join(dirname(file), specifier).replace(/(?:\.[cm]?[jt]sx?|\/)$/, '');
    return ENDINGS.map((ending) => program.getSourceFile(path + ending)?.fileName).find(Boolean);
  }

  function gather(): Map<string, SourceFile[]> {
    const found = new Map<string, SourceFile[]>();
    for (const source of sources)
      for (const file of new Set(filesOf(source).values()))
        if (file !== undefined) found.set(file, [...(found.get(file) ?? []), source]);
    return found;
  }

  return {
    fileOf: (source, specifier) => filesOf(source).get(specifier),
    specifiersOf: (source) => filesOf(source).keys(),
    importersOf: (file) => (importers ??= gather()).get(file) ?? [],
  };
}
