import type { TSESTree } from '@typescript-eslint/utils';
import type { ApiTable } from './api-table.ts';
import type { ModuleIndex, ThisOwner } from './module-index.ts';
import type { CallNode, ClassNode, FunctionNode } from './nodes.ts';

/** What an expression stands for. Globals are members of the module `global`; `Bun` and `Deno` of `bun` and `deno`. */
export type Meaning =
  | { is: 'import'; module: string; path: string; bound?: readonly TSESTree.Node[] }
  | { is: 'function'; node: FunctionNode }
  | { is: 'class'; node: ClassNode }
  | { is: 'instance'; node: ThisOwner }
  | { is: 'object'; node: TSESTree.ObjectExpression }
  | { is: 'type'; members: readonly TSESTree.TypeElement[] };

/** Reads meanings in one module. Calls, members, types and variables have a file each, and ask each other through it. */
export interface MeaningReader {
  index: ModuleIndex;
  table: ApiTable;
  meaningOf: (node: TSESTree.Node) => Meaning | undefined;
  memberOf: (meaning: Meaning | undefined, key: string) => Meaning | undefined;
  /** What the module of a specifier stands for. */
  ofModule: (specifier: string | undefined) => Meaning | undefined;
  /** What a file requires, or its default export. */
  ofWhole: (specifier: string | undefined) => Meaning | undefined;
  /** Of several candidates the one that is an API's, else the first that is known. */
  firstImport: (nodes: readonly TSESTree.Node[]) => Meaning | undefined;
  /** Of several APIs the one that starts a child and lets it run, for that is the one whose options tell. */
  foreignOf: (meanings: readonly (Meaning | undefined)[]) => Meaning | undefined;
  /** Whether it is an API that starts a child and lets it run. */
  isStart: (meaning: Meaning | undefined) => boolean;
  functionOf: (call: CallNode) => FunctionNode | undefined;
  callersOf: (fn: FunctionNode) => readonly CallNode[];
}

/** Whether a meaning is an import's or a global's: nothing of this module. */
export const isForeign = (meaning: Meaning | undefined) => meaning?.is === 'import';

/** What a global name stands for. */
export function ofGlobal(name: string): Meaning {
  if (name === 'Bun' || name === 'Deno') return { is: 'import', module: name.toLowerCase(), path: '' };
  return { is: 'import', module: 'global', path: name };
}
