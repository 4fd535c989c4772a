import type { TSESTree } from '@typescript-eslint/utils';
import { constantValue, type ModuleIndex } from './module-index.ts';
import { bareExpression } from './nodes.ts';

/** The number that an expression always is: a literal, a constant, or what is computed from them. */
export function constantNumber(index: ModuleIndex, node: TSESTree.Node, depth = 4): number | undefined {
  const bare = bareExpression(node);
  if (bare.type === 'Literal') return typeof bare.value === 'number' ? bare.value : undefined;
  if (depth === 0) return undefined;
  if (bare.type === 'BinaryExpression') {
    const [left, right] = [bare.left, bare.right].map((side) => constantNumber(index, side, depth - 1));
    if (left === undefined || right === undefined) return undefined;
    if (bare.operator === '*') return left * right;
    if (bare.operator === '/') return left / right;
    return bare.operator === '+' ? left + right : undefined;
  }
  const value = constantValue(index, bare);
  return value && constantNumber(index, value, depth - 1);
}
