import type { TSESTree } from '@typescript-eslint/utils';
import { bareExpression, calleeOf, lastName } from './nodes.ts';

const MODIFIERS =
  /^(?:concurrent|each|extend|failing|fails|for|only|runIf|sequential|serial|shuffle|skip|skipIf|todo)$/;

/** A test runner's function without what it is refined by: `it` of `it.each([1, 2])('adds', …)`, `it.only(…)`. */
export function withoutModifiers(callee: TSESTree.Node): TSESTree.Node {
  const node = bareExpression(callee);
  if (node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression') {
    const inner = calleeOf(node);
    const name = inner.type === 'MemberExpression' ? (lastName(inner) ?? '') : '';
    return MODIFIERS.test(name) ? withoutModifiers(inner) : node;
  }
  return node.type === 'MemberExpression' && MODIFIERS.test(lastName(node) ?? '')
    ? withoutModifiers(node.object)
    : node;
}
