import type { TSESTree } from '@typescript-eslint/utils';
import type { ThisOwner } from './module-index.ts';
import type { ClassNode, FunctionNode } from './nodes.ts';

/** What an expression stands for. Globals are members of the module `global`; `Bun` and `Deno` of `bun` and `deno`. */
export type Meaning =
  | { is: 'import'; module: string; path: string; bound?: readonly TSESTree.Node[] }
  | { is: 'function'; node: FunctionNode }
  | { is: 'class'; node: ClassNode }
  | { is: 'instance'; node: ThisOwner }
  | { is: 'object'; node: TSESTree.ObjectExpression }
  | { is: 'type'; members: readonly TSESTree.TypeElement[] };

/** Whether a meaning is an import's or a global's: nothing of this module. */
export const isForeign = (meaning: Meaning | undefined) => meaning?.is === 'import';

/** What a global name stands for. */
export function ofGlobal(name: string): Meaning {
  if (name === 'Bun' || name === 'Deno') return { is: 'import', module: name.toLowerCase(), path: '' };
  return { is: 'import', module: 'global', path: name };
}
