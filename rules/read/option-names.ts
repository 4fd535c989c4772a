import type { TSESTree } from '@typescript-eslint/utils';
import { bareExpression, lastName, literalText } from './nodes.ts';

/** Whether an option's value is only another's option of the same meaning, handed on: `detached: options.detached`. */
export function handsOptionOn(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  switch (bare.type) {
    case 'LogicalExpression':
      return handsOptionOn(bare.left) || handsOptionOn(bare.right);
    case 'ConditionalExpression':
      return handsOptionOn(bare.test) || handsOptionOn(bare.consequent) || handsOptionOn(bare.alternate);
    case 'UnaryExpression':
      return bare.operator === '!' && handsOptionOn(bare.argument);
    case 'BinaryExpression':
      return handsOptionOn(bare.left);
    case 'CallExpression':
      return lastName(bare.callee) === 'Boolean' && bare.arguments.some(handsOptionOn);
    default:
      return detaching.test(lastName(bare) ?? '') && !isEnvironment(bare);
  }
}

/** `process.env.DETACHED`: that is the user's to say, no caller's. */
const isEnvironment = (node: TSESTree.Node): boolean =>
  node.type === 'MemberExpression' && lastName(bareExpression(node.object)) === 'env';

const detaching = /detach|persist/i;

/** Whether a property or an assignment sets an option that detaches. */
export function isDetaching(place: TSESTree.Node): boolean {
  const named = place.type === 'AssignmentExpression' ? place.left : 'key' in place ? place.key : undefined;
  return named !== undefined && detaching.test(lastName(named) ?? literalText(named) ?? '');
}
