import type { TSESTree } from '@typescript-eslint/utils';
import { heldBy } from './held-by.ts';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression } from './nodes.ts';

/** The child of `child.pid`, also by what holds the pid: `const { pid } = child`, `this.pid = this.child.pid`. */
export function childOfPid(index: ModuleIndex, pid: TSESTree.Node): TSESTree.Expression | undefined {
  const node = bareExpression(pid);
  const def = node.type === 'Identifier' ? index.variableOf(node)?.defs[0]?.node : undefined;
  if (def?.type === 'VariableDeclarator' && def.id.type === 'ObjectPattern')
    return def.init ? (bareExpression(def.init) as TSESTree.Expression) : undefined;
  const held = heldBy(index, node);
  return (held && ownerOf(index, held)) ?? ownerOf(index, node);
}

/** `child` of `child.pid` */
function ownerOf(index: ModuleIndex, node: TSESTree.Node): TSESTree.Expression | undefined {
  const bare = bareExpression(node);
  return bare.type === 'MemberExpression' && index.keyOf(bare) === 'pid' ? bare.object : undefined;
}
