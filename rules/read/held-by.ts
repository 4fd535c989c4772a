import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';

/** What a variable or a field holds that is written once. */
export function heldBy(index: ModuleIndex, node: TSESTree.Node): TSESTree.Node | undefined {
  if (node.type === 'Identifier') {
    const variable = index.variableOf(node);
    const writes = variable?.references.filter((reference) => reference.isWrite()) ?? [];
    return writes.length === 1 ? (writes[0]?.writeExpr ?? undefined) : undefined;
  }
  const place = node.type === 'MemberExpression' ? index.rootOf(node) : undefined;
  if (!place) return undefined;
  const { root, path } = place;
  const writes = index.memberWrites(root).filter((write) => write.path.join() === path.join());
  const [only] = writes;
  if (only?.node.type === 'AssignmentExpression') return writes.length === 1 ? only.node.right : undefined;
  if (writes.length > 0 || path.length !== 1 || !('body' in root) || root.type === 'Program')
    return undefined;
  const field = root.body.body.find(
    (element) => element.type === 'PropertyDefinition' && index.keyOf(element) === path[0],
  );
  return field?.type === 'PropertyDefinition' ? (field.value ?? undefined) : undefined;
}
