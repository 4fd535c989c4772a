import type { TSESTree } from '@typescript-eslint/utils';

/** Where something stands, without its tree, which would be held as long. */
export interface Place {
  file: string;
  /** From 1, as columns. */
  line: number;
  column: number;
}

/** Where a node begins, with its line and column from 1. */
export function placeOf(file: string, { loc }: TSESTree.Node): Place {
  return { file, line: loc.start.line, column: loc.start.column + 1 };
}
