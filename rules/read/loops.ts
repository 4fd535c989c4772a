import type { TSESTree } from '@typescript-eslint/utils';
import { NOW_METHODS } from '../apis/handlers.ts';
import { calleeOf, isFunction, lastName } from './nodes.ts';

const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;

/** Methods of {@link NOW_METHODS} that call their callback once. */
const ONCE = new Set(['parse', 'stringify', 'transaction']);

/** Whether a node runs many times in one run of its unit: in a loop's body, or in the callback of an array's method. */
export function isRepeated(node: TSESTree.Node, unit: TSESTree.Node | undefined): boolean {
  for (let at = node; at.parent && at !== unit; at = at.parent) {
    const { parent } = at;
    // The source of a loop is asked once.
    if (
      LOOP.test(parent.type) &&
      !('right' in parent && parent.right === at) &&
      !('init' in parent && parent.init === at)
    )
      return true;
    if (isFunction(at) && parent.type === 'CallExpression' && parent.arguments.includes(at as never)) {
      const name = lastName(calleeOf(parent)) ?? '';
      if (NOW_METHODS.has(name) && !ONCE.has(name)) return true;
    }
  }
  return false;
}
