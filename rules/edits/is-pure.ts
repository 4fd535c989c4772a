import type { TSESTree } from '@typescript-eslint/utils';

const PURE = new Set([
  'Identifier',
  'Literal',
  'MemberExpression',
  'UnaryExpression',
  'BinaryExpression',
  'LogicalExpression',
  'ThisExpression',
]);

/** Whether evaluating an expression has no effect that anybody would miss. */
export function isPure(node: TSESTree.Node): boolean {
  // `os.platform()`.
  if (node.type === 'CallExpression')
    return (
      node.arguments.length === 0 &&
      node.callee.type === 'MemberExpression' &&
      node.callee.property.type === 'Identifier' &&
      node.callee.property.name === 'platform' &&
      isPure(node.callee)
    );
  if (node.type === 'TSNonNullExpression') return isPure(node.expression);
  if (!PURE.has(node.type)) return false;
  if (node.type === 'MemberExpression') return isPure(node.object);
  if (node.type === 'UnaryExpression') return node.operator !== 'delete' && isPure(node.argument);
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression')
    return isPure(node.left) && isPure(node.right);
  return true;
}
