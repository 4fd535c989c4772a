import type { Imports } from 'eslint-plugin-owned-spawn/api';
import type { Program } from 'typescript';

/** Which files of a program import which. */
export interface Importing {
  importersOf(file: string): readonly string[];
  /** The file that a specifier of a file stands for. */
  fileOf(importer: string, specifier: string): string | undefined;
  /** Whether the text of a file may name a module as a whole: `import * as all`, `require('./x')`. */
  mayHoldWhole(importer: string): boolean;
}

const WHOLE = /\*\s*as\s|\brequire\s*\(|\bimport(?:\s*\(|\s+[\w$])/;

export function importingOf(program: Program, imports: Imports): Importing {
  return {
    importersOf: (file) => imports.importersOf(file).map(({ fileName }) => fileName),
    fileOf(importer, specifier) {
      const source = program.getSourceFile(importer);
      return source && imports.fileOf(source, specifier);
    },
    mayHoldWhole: (importer) => WHOLE.test(program.getSourceFile(importer)?.text ?? ''),
  };
}
