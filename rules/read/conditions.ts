import type { TSESTree } from '@typescript-eslint/utils';
import type { FunctionNode } from './nodes.ts';

/** What decides whether a node runs; without a test that can be read it is anything. */
export interface Condition {
  test: TSESTree.Node | undefined;
  negated: boolean;
}

/** The test that decides whether a child node of a statement or an expression runs. */
export function conditionOf(parent: TSESTree.Node, child: TSESTree.Node): Condition | undefined {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === child ? undefined : { test: parent.test, negated: parent.alternate === child };
    case 'LogicalExpression':
      if (parent.right !== child) return undefined;
      return { test: parent.operator === '??' ? undefined : parent.left, negated: parent.operator === '||' };
    case 'SwitchCase':
    case 'CatchClause':
      return { test: undefined, negated: false };
    default:
      return undefined;
  }
}

/** The innermost `if` around a node of a function. */
export function conditionAround(node: TSESTree.Node, fn: FunctionNode): Condition | undefined {
  for (let at = node; at.parent && at !== fn; at = at.parent) {
    const condition = conditionOf(at.parent, at);
    if (condition && at.parent.type === 'IfStatement') return condition;
  }
  return undefined;
}

/** Whether a function is the constructor of a class. */
export function isConstructor(fn: FunctionNode): boolean {
  return fn.parent.type === 'MethodDefinition' && fn.parent.kind === 'constructor';
}
